import { phraseIn } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import { profileOfFile, quarkusProfile } from '../../corrections/files/profile-of-file.ts';
import { namedUnset } from '../../corrections/settings/named-unset.ts';
import { type OddName, oddPrefix, oddSection } from '../../corrections/settings/odd-prefix.ts';
import { emptyVariable } from '../../corrections/settings/missing-field.ts';
import { requiredOption } from '../../corrections/settings/required-option.ts';
import { renamedVariable } from '../../corrections/settings/renamed-variable.ts';
import { wellKnownName } from '../../corrections/settings/well-known-name.ts';
import { leftOutVariable, OWN_HOST } from '../../corrections/settings/left-out.ts';
import { lateReference } from '../../corrections/settings/late-reference.ts';
import { optionsBeforeJar } from '../../corrections/command/java-options.ts';
import { code } from '../../rendering/quote.ts';
import { type Explained, OF_SETTINGS, OF_LOGIN, isAboutSettings } from './explained.ts';

/** A variable with a name that this version of the program no longer reads. */
export function ofOldName({ input, meaning }: Explained): Meaning | undefined {
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

/** A variable whose sections are separated differently from those of the variables beside it. */
export function ofOddSection(explained: Explained): Meaning | undefined {
  const { input, log, meaning, inCode } = explained;
  const isRenamed = meaning.corrections?.some(({ changes }) => changes.some(({ path }) => path.endsWith('.name'))) === true;
  const mayBe = !isRenamed && (log.signature.general === true || inCode || OF_SETTINGS.test(log.signature.id));
  const odd = mayBe ? oddSection(input) : undefined;
  return odd && ofOdd(explained, odd);
}

const ofOdd = ({ log, meaning }: Explained, odd: OddName): Meaning => ({
  ...meaning,
  culprit: `${odd.name}: ${meaning.culprit ?? phraseIn(log.line)}`,
  advice: [`The program does not read ${code(odd.name)}: the variables beside it begin otherwise.`],
  corrections: [odd.correction],
});

/** A variable that is left out, because its source is optional and does not exist. */
export function ofLeftOut({ input, log, meaning }: Explained): Meaning | undefined {
  const found = leftOutVariable(input, log.line);
  return (
    found && {
      ...meaning,
      because: `the variable ${code(found.name)} is not set (${found.because})`,
      culprit: found.culprit,
      advice: [`Correct what ${code(found.name)} refers to. Without \`optional\`, kubelet would have said that it is not there.`],
      corrections: found.corrections,
    }
  );
}

/** A variable whose prefix differs slightly from that of the variables beside it. */
export function ofOddName(explained: Explained): Meaning | undefined {
  const { input, log, inCode } = explained;
  const odd = log.signature.general === true || inCode || OWN_HOST.test(log.line) ? oddPrefix(input) : undefined;
  return odd && ofOdd(explained, odd);
}

/** A variable that the line names and the container has under a similar name. */
export function ofNamedUnset({ input, log, meaning }: Explained): Meaning | undefined {
  const found = namedUnset(input, log.line);
  return (
    found && {
      ...meaning,
      culprit: `${found.name} (${found.wanted} is not set)`,
      advice: [`The program reads ${code(found.wanted)}, and not ${code(found.name)}.`],
      corrections: [found.correction],
    }
  );
}

/** A slip in the name of a variable that chooses the settings of a framework. */
export function ofUsualName({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const renamed = isAboutSettings(log) || inCode ? wellKnownName(input) : [];
  return renamed.length > 0 ? { ...meaning, corrections: renamed } : undefined;
}

/** A reference to a variable that is defined further down, which reaches the program as it is. */
export function ofLateReference({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const mayBe = log.signature.general === true || inCode || OF_LOGIN.test(log.signature.id);
  const late = mayBe ? lateReference(input) : undefined;
  return (
    late && {
      ...meaning,
      culprit: `${late.name} with $(${late.wanted}): ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`${code(late.name)} reaches the program with ${code(`$(${late.wanted})`)} as it is.`],
      corrections: [late.correction],
    }
  );
}

/** Options of Java that stand behind the program's jar: their settings do not reach the program. */
export function ofLateOption({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const late = isAboutSettings(log) || inCode || OF_SETTINGS.test(log.signature.id) ? optionsBeforeJar(input.place()) : undefined;
  return (
    late && {
      ...meaning,
      culprit: `${late.options.join(' ')} behind the jar: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: ['Java takes its own options only before `-jar`: what follows the jar goes to the program.'],
      corrections: [late.correction],
    }
  );
}

/** A profile or environment for which no mounted file has settings. */
export function ofProfile({ input, log, meaning }: Explained): Meaning | undefined {
  const profile = isAboutSettings(log) ? (profileOfFile(input) ?? quarkusProfile(input)) : undefined;
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

/** A variable with an option in its name, under other words than the program reads. */
export function ofRequiredOption({ input, log, meaning }: Explained): Meaning | undefined {
  const found = requiredOption(input, log.line);
  return (
    found && {
      ...meaning,
      culprit: `${found.name} (${meaning.culprit ?? phraseIn(log.line)})`,
      advice: [`The program reads ${code(found.wanted)}, and not ${code(found.name)}.`],
      corrections: [found.correction],
    }
  );
}

/** A variable that is empty because the pod has not the label behind it, where the line shows an empty value. */
export function ofEmptyVariable({ input, log, meaning }: Explained): Meaning | undefined {
  const found = /""|''|\b[Vv]alue {2}for\b|\bempty\b|\bblank\b|\bmissing\b|not set/.test(log.line) ? emptyVariable(input) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.name} from ${found.key}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`${code(found.name)} is empty: the pod has no ${code(found.key)}.`],
      corrections: found.corrections,
    }
  );
}
