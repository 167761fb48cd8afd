import { ownMember } from '../../corrections/settings/own-member.ts';
import { phraseIn } from '../../facts/phrase.ts';
import { DO_AS_ASKED, type Meaning } from '../../corrections/meaning.ts';
import { advertisedAddress } from '../../corrections/network/advertised-address.ts';
import { lackingPort } from '../../corrections/network/lacking-port.ts';
import { optionsBeforeScript, withoutProgram } from '../../corrections/command/program-twice.ts';
import { optionInOneWord } from '../../corrections/settings/argument.ts';
import { misspeltWord } from '../../corrections/settings/misspelt-word.ts';
import { proposedOption, widerPermission } from '../../corrections/settings/proposed-option.ts';
import { forbiddenVariable, replacedWord } from '../../corrections/settings/replaced-word.ts';
import type { Correction } from '../../corrections/correction.ts';
import { differentPort } from '../../corrections/network/different-port.ts';
import { ownAddress } from '../../corrections/network/own-address.ts';
import { exportedVariables } from '../../corrections/settings/exported-variables.ts';
import { contradictedVariable, exclusiveSettings, misplacedSetting, pairedVariable } from '../../corrections/settings/paired-variable.ts';
import { knownKeyword } from '../../corrections/settings/connection-keyword.ts';
import { opensModule } from '../../corrections/settings/java-opens.ts';
import { longerSecret } from '../../corrections/settings/longer-secret.ts';
import { neededOption } from '../../corrections/settings/needed-option.ts';
import { neededValue } from '../../corrections/settings/needed-value.ts';
import { aboveOther, relatedBounds } from '../../corrections/settings/related-bounds.ts';
import { namedObject } from '../../corrections/settings/named-object.ts';
import { listedWord } from '../../corrections/settings/listed-word.ts';
import { removedOption, withoutFeature } from '../../corrections/settings/removed-option.ts';
import { code } from '../../rendering/quote.ts';
import { type Explained, OF_SETTINGS } from './explained.ts';

/** An option of which the log says that this version no longer has it. */
export function ofRemovedOption({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const removed = log.signature.general === true || inCode ? removedOption(input) : undefined;
  return (
    removed && {
      ...meaning,
      because: `this version no longer has the option ${code(removed.option)}: ${code(removed.line, 160)}`,
      culprit: removed.option,
      advice: ['Remove the option, and see in the release notes what took its place.'],
      corrections: removed.corrections,
    }
  );
}

/** A value that is a slip of a common word. */
export function ofMisspeltWord({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const found = log.signature.general === true || inCode || OF_SETTINGS.test(log.signature.id) ? misspeltWord(input, log.line) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.name}=${found.value}`,
      advice: [`${code(found.value)} looks like a slip.`],
      corrections: [found.correction],
    }
  );
}

/** Variables that the line proposes to export. */
export function ofExports({ input, log, meaning }: Explained): Meaning | undefined {
  const found = log.signature.general === true ? exportedVariables(input) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.names.join(', ')}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [DO_AS_ASKED],
      corrections: [found.correction],
    }
  );
}

/** What the line itself proposes. */
export function ofProposal({ input, log: { line }, meaning }: Explained): Meaning {
  const addressed = [...advertisedAddress(input, line), ...ownAddress(input, line)];
  if (addressed.length > 0) return { ...meaning, corrections: addressed };
  const members = ownMember(input, line);
  if (members.length > 0) return { ...meaning, culprit: `initial-cluster: ${meaning.culprit ?? phraseIn(line)}`, corrections: members };
  const corrections = [
    ...withoutProgram(input, line),
    ...optionInOneWord(input, line),
    ...optionsBeforeScript(input, line),
    ...opensModule(input, line),
    ...knownKeyword(input, line),
    ...differentPort(input, line),
    ...pairedVariable(input, line),
    ...contradictedVariable(input, line),
    ...exclusiveSettings(input, line),
    ...misplacedSetting(input, line),
    ...replacedWord(input, line),
    ...listedWord(input, line),
    ...forbiddenVariable(input, line),
    ...widerPermission(input, line),
    ...proposedOption(input, line),
  ].slice(0, 1);
  const [first] = corrections;
  if (first)
    return {
      ...meaning,
      culprit: withOption(meaning.culprit ?? phraseIn(line), first),
      advice: [DO_AS_ASKED],
      corrections,
    };
  const ports = lackingPort(input, line);
  const called = ports.length > 0 ? /[\w.-]{1,200}:\d{2,5}(?!\d)/.exec(String(ports[0]?.changes[0]?.from))?.[0] : undefined;
  return { ...meaning, ...(called ? { culprit: `${meaning.culprit ?? phraseIn(line)}: ${called}` } : {}), corrections: ports };
}

/** The culprit, with the option that the program proposes: what is not there yet has no other name. */
function withOption(culprit: string, { changes: [only] }: Correction): string {
  const option = only?.from === null && typeof only.to === 'string' ? /^-{1,2}[\w.-]{2,80}/.exec(only.to)?.[0] : undefined;
  return option === undefined || culprit.includes(option) ? culprit : `${culprit} (${option})`;
}

/** A setting of the manifest that must have another value: a relation to another setting, the name of an object, the only value that fits. */
export function ofNeededValue({ input, log, meaning }: Explained): Meaning | undefined {
  const found =
    neededOption(input) ??
    neededValue(input, log.line) ??
    relatedBounds(input, log.line) ??
    aboveOther(input, log.line) ??
    namedObject(input, log.line);
  const feature = found ? undefined : withoutFeature(input, log.line);
  if (feature) return { ...meaning, culprit: `${feature.feature}: ${phraseIn(log.line)}`, corrections: feature.corrections };
  return found && { ...meaning, culprit: `${found.name}: ${phraseIn(log.line)}`, corrections: [found.correction] };
}

/** A secret that is shorter than the program wants. */
export function ofShortSecret({ input, log, meaning }: Explained): Meaning | undefined {
  const found = longerSecret(input, log.line);
  return (
    found && {
      ...meaning,
      because: `${code(found.name)} is too short: the program wants ${found.wanted} characters`,
      culprit: `${found.name} (shorter than ${found.wanted} characters)`,
      corrections: [found.correction],
    }
  );
}
