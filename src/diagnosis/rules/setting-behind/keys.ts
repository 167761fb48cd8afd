import { phraseIn } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import { swappedKeys } from '../../corrections/settings/swapped-keys.ts';
import { oddKey } from '../../corrections/settings/better-key.ts';
import { keyedVariable } from '../../corrections/settings/key-of-variable.ts';
import { unusedKey } from '../../corrections/settings/unused-key.ts';
import { CORRECT_THE_CODE } from '../signatures/in-the-code.ts';
import { code } from '../../rendering/quote.ts';
import { type Explained, OF_SETTINGS, NOT_TAKEN, OF_LOGIN, isOfCredentials } from './explained.ts';

/** A value that comes from a key: nobody sees the value, but where it comes from. */
export function ofKey({ input, log, meaning }: Explained): Meaning | undefined {
  const isAbout = NOT_TAKEN.test(log.line) && !/ from key /.test(meaning.culprit ?? '');
  const keyed = isAbout ? keyedVariable(input, `${log.line} ${meaning.culprit ?? ''}`) : undefined;
  return (
    keyed && {
      ...meaning,
      culprit: `${keyed.name} (${keyed.source})`,
      advice: [
        ...meaning.advice.filter((line) => !line.startsWith(CORRECT_THE_CODE)),
        `${code(keyed.name)} comes from ${code(keyed.source)}. Look whether the value is the right one, has no line break at its end, and is not encoded twice: \`stringData\` takes it as it is, \`data\` in base64.`,
      ],
      corrections: keyed.corrections,
      inCode: false,
    }
  );
}

/** A key of the namespace that is called like a setting which the program misses, and that the container does not use. */
export function ofUnusedKey({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const found = log.signature.general === true || inCode ? unusedKey(input, log.line) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.name}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`Nothing gives the container ${code(found.name)}, and the namespace has a key of that name.`],
      corrections: found.corrections,
    }
  );
}

/** Two variables that have each other's key. */
export function ofSwappedKeys(explained: Explained): Meaning | undefined {
  const { input, log, meaning } = explained;
  const swapped = isOfCredentials(explained) || OF_SETTINGS.test(log.signature.id) ? swappedKeys(input) : undefined;
  return (
    swapped && {
      ...meaning,
      because: `${meaning.because}: ${code(swapped.names[0])} and ${code(swapped.names[1])} have each other's key`,
      culprit: `${swapped.names.join(' and ')} have each other's key: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`${code(swapped.names[0])} and ${code(swapped.names[1])} have each other's key.`],
      corrections: [swapped.correction],
    }
  );
}

/** A variable with the value of another key than its name says. */
export function ofOddKey(explained: Explained): Meaning | undefined {
  const { input, log, meaning } = explained;
  const isLogin = OF_LOGIN.test(log.signature.id);
  const odd = oddKey(input);
  const isNamed = odd !== undefined && (meaning.culprit ?? '').includes(odd.name);
  if (!odd || !(isNamed || isOfCredentials(explained)) || (isLogin && !CREDENTIAL.test(odd.name))) return undefined;
  const isSaid = isNamed || isLogin || NOT_TAKEN.test(log.line);
  return {
    ...meaning,
    culprit: `${odd.name} (${odd.source}): ${meaning.culprit ?? phraseIn(log.line)}`,
    advice: [`${code(odd.name)} comes from ${code(odd.source)}, and another key is called like it.`],
    corrections: [{ ...odd.correction, confidence: isSaid ? 'likely' : 'guess' }],
  };
}

/** Names of variables with which a program logs in. */
const CREDENTIAL = /PASS|PWD|USER|TOKEN|SECRET|KEY|AUTH|URL|URI|DSN|CONN/i;
