import type { LogFact } from '../facts/log.ts';
import type { RuleInput } from '../facts/input.ts';
import { phraseIn } from '../facts/phrase.ts';
import type { Meaning } from '../corrections/meaning.ts';
import { profileOfFile } from '../corrections/files/profile-of-file.ts';
import { advertisedAddress } from '../corrections/network/advertised-address.ts';
import { lackingPort } from '../corrections/network/lacking-port.ts';
import { clientPort } from '../corrections/network/protocol-port.ts';
import { keyedVariable } from '../corrections/settings/key-of-variable.ts';
import { oddPrefix } from '../corrections/settings/odd-prefix.ts';
import { proposedOption, widerPermission } from '../corrections/settings/proposed-option.ts';
import { renamedVariable } from '../corrections/settings/renamed-variable.ts';
import { forbiddenVariable, replacedWord } from '../corrections/settings/replaced-word.ts';
import { wellKnownName } from '../corrections/settings/well-known-name.ts';
import { code } from '../rendering/quote.ts';

/** A matched line with its meaning. `inCode`: it reports a bug of the program, which a setting may have triggered. */
interface Explained {
  input: RuleInput;
  log: LogFact;
  meaning: Meaning;
  inCode: boolean;
}

/** The meaning with the correction of the setting behind the line, where the line itself does not name that. */
export function withSetting(explained: Explained): Meaning {
  const { meaning } = explained;
  const old = ofOldName(explained);
  if (old || meaning.corrections?.length) return old ?? meaning;
  for (const find of BEHIND) {
    const found = find(explained);
    if (found) return found;
  }
  return meaning;
}

/** What may be behind a line, the most telling first. */
const BEHIND: readonly ((explained: Explained) => Meaning | undefined)[] = [
  ofOddName,
  ofOtherPort,
  ofKey,
  ofProfile,
  ofUsualName,
  ofProposal,
];

function ofOldName({ input, meaning }: Explained): Meaning | undefined {
  const old = renamedVariable(input);
  return (
    old && {
      ...meaning,
      culprit: old.name,
      advice: [`The program reads ${code(old.wanted)}, and not ${code(old.name)}.`],
      corrections: [old.correction],
    }
  );
}

/** Where programs look for a server of which they know nothing. */
const OWN_HOST = /\b(?:127\.0\.0\.1|localhost)\b|\[?::1\]?:/;

function ofOddName({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const odd = log.signature.general === true || inCode || OWN_HOST.test(log.line) ? oddPrefix(input) : undefined;
  return (
    odd && {
      ...meaning,
      culprit: `${odd.name}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`The program does not read ${code(odd.name)}: the variables beside it begin otherwise.`],
      corrections: [odd.correction],
    }
  );
}

/** What programs say of a server that speaks another protocol. */
const OTHER_PROTOCOL =
  /handshake|protocol|unexpected (?:EOF|response|packet|message|frame|character)|(?:socket|connection) (?:was )?(?:closed|reset)|reset by peer|invalid (?:response|frame|packet)|malformed|bad (?:request|response)|\bHTTP\/1\.[01] 4/i;

function ofOtherPort({ input, log, meaning }: Explained): Meaning | undefined {
  const other = OTHER_PROTOCOL.test(log.line) ? clientPort(input) : undefined;
  return (
    other && {
      ...meaning,
      culprit: `${other.name} with port ${other.port}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`Port ${other.port} is not for clients. Use the port at which the server speaks the protocol of the program.`],
      corrections: [other.correction],
    }
  );
}

/** What programs say of a value that they do not take. */
const NOT_TAKEN =
  /\b(?:invalid|incorrect|malformed|wrong|bad|unauthori[sz]ed|not (?:accepted|valid)|expired|must be|too (?:short|long))\b/i;

/** A value that comes from a key: nobody sees the value, but where it comes from. */
function ofKey({ input, log, meaning }: Explained): Meaning | undefined {
  const isAbout = NOT_TAKEN.test(log.line) && !/ from key /.test(meaning.culprit ?? '');
  const keyed = isAbout ? keyedVariable(input, `${log.line} ${meaning.culprit ?? ''}`) : undefined;
  return (
    keyed && {
      ...meaning,
      culprit: `${keyed.name} (${keyed.source})`,
      advice: [
        ...meaning.advice.filter((line) => !/has a bug/.test(line)),
        `${code(keyed.name)} comes from ${code(keyed.source)}. Look whether the value is the right one, has no line break at its end, and is not encoded twice: \`stringData\` takes it as it is, \`data\` in base64.`,
      ],
      corrections: keyed.corrections,
      inCode: false,
    }
  );
}

function ofProfile({ input, log, meaning }: Explained): Meaning | undefined {
  const profile = isAboutSettings(log) ? profileOfFile(input) : undefined;
  const chosen = code(`${profile?.name}=${profile?.value}`);
  return (
    profile && {
      ...meaning,
      because: `${meaning.because}: it runs with ${chosen}, and no mounted file has the settings of that`,
      culprit: `${profile.name}=${profile.value}`,
      advice: [`The program runs with ${chosen}, and no mounted file has the settings of it.`],
      corrections: profile.corrections,
    }
  );
}

function ofUsualName({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const renamed = isAboutSettings(log) || inCode ? wellKnownName(input) : [];
  return renamed.length > 0 ? { ...meaning, corrections: renamed } : undefined;
}

/** What the line itself proposes. */
function ofProposal({ input, log: { line }, meaning }: Explained): Meaning {
  const addressed = advertisedAddress(input, line);
  if (addressed.length > 0) return { ...meaning, corrections: addressed };
  const corrections = [
    ...replacedWord(input, line),
    ...forbiddenVariable(input, line),
    ...widerPermission(input, line),
    ...proposedOption(input, line),
  ].slice(0, 1);
  if (corrections.length > 0) return { ...meaning, advice: ['Do what the message proposes.'], corrections };
  return { ...meaning, corrections: lackingPort(input, line) };
}

/** Whether the line may be there because the program runs with other settings than somebody wanted. */
function isAboutSettings({ signature }: LogFact): boolean {
  return signature.general === true || /^(?:spring-|variable-|setting-)/.test(signature.id);
}
