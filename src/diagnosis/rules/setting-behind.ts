import { ownMember } from '../corrections/settings/own-member.ts';
import type { LogFact } from '../facts/log.ts';
import type { RuleInput } from '../facts/input.ts';
import { phraseIn } from '../facts/phrase.ts';
import type { Meaning } from '../corrections/meaning.ts';
import { profileOfFile } from '../corrections/files/profile-of-file.ts';
import { advertisedAddress } from '../corrections/network/advertised-address.ts';
import { lackingPort } from '../corrections/network/lacking-port.ts';
import { clientPort } from '../corrections/network/protocol-port.ts';
import { optionsBeforeScript, withoutProgram } from '../corrections/command/program-twice.ts';
import { misspeltWord } from '../corrections/settings/misspelt-word.ts';
import { namedUnset } from '../corrections/settings/named-unset.ts';
import { swappedKeys } from '../corrections/settings/swapped-keys.ts';
import { oddKey } from '../corrections/settings/better-key.ts';
import { keyedVariable } from '../corrections/settings/key-of-variable.ts';
import { type OddName, oddPrefix, oddSection } from '../corrections/settings/odd-prefix.ts';
import { proposedOption, widerPermission } from '../corrections/settings/proposed-option.ts';
import { renamedVariable } from '../corrections/settings/renamed-variable.ts';
import { forbiddenVariable, replacedWord } from '../corrections/settings/replaced-word.ts';
import { wellKnownName } from '../corrections/settings/well-known-name.ts';
import { prepareDatabase } from '../corrections/command/migration.ts';
import type { Correction } from '../corrections/correction.ts';
import { mountOf } from '../corrections/files/mounted-files.ts';
import { unbroughtFile } from '../corrections/files/unbrought-file.ts';
import { unbroughtFolder } from '../corrections/files/unbrought-folder.ts';
import { inUnusedMount } from '../corrections/files/unused-mount.ts';
import { unmountedSocket } from '../corrections/files/unmounted-socket.ts';
import { whereToWrite, writableFolder } from '../corrections/files/writable-folder.ts';
import { madeUpScheme } from '../corrections/network/scheme.ts';
import { differentPort } from '../corrections/network/different-port.ts';
import { ownAddress } from '../corrections/network/own-address.ts';
import { withoutServiceLinks } from '../corrections/settings/values.ts';
import { foundInLogs } from '../facts/log-sections.ts';
import { hostOfImage } from '../corrections/settings/host-of-image.ts';
import { exportedVariables } from '../corrections/settings/exported-variables.ts';
import { contradictedVariable, pairedVariable } from '../corrections/settings/paired-variable.ts';
import { knownKeyword } from '../corrections/settings/connection-keyword.ts';
import { opensModule } from '../corrections/settings/java-opens.ts';
import { lateReference } from '../corrections/settings/late-reference.ts';
import { listedWord } from '../corrections/settings/listed-word.ts';
import { removedOption } from '../corrections/settings/removed-option.ts';
import { unusedKey } from '../corrections/settings/unused-key.ts';
import { CORRECT_THE_CODE } from './signatures/in-the-code.ts';
import { fileIn } from './signatures/file-in-line.ts';
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
  const old = ofServiceVariable(explained) ?? ofOldName(explained) ?? ofOddSection(explained);
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
  ofHost,
  ofOtherPort,
  ofKey,
  ofProfile,
  ofUsualName,
  ofRemovedOption,
  ofSocket,
  ofUnusedKey,
  ofLateReference,
  ofNamedUnset,
  ofSwappedKeys,
  ofOddKey,
  ofMisspeltWord,
  ofMadeUpScheme,
  ofDatabase,
  ofExports,
  ofPath,
  ofUnbroughtFile,
  ofUnbroughtFolder,
  ofProposal,
];

/** A setting that a program made of the variable of a Service: `PORT.7687.TCP.PROTO`. */
const OF_SERVICE =
  /((?:[Uu]nrecogni[sz]ed|[Uu]nknown|[Nn]o declared|[Ii]nvalid|[Uu]nsupported|not a valid)\b.{0,120}\b(?:PORT[._]\d{1,5}[._](?:TCP|UDP)|SERVICE[._](?:HOST|PORT)|setting with name: PORT)\b.{0,100})/i;

function ofServiceVariable({ input, meaning }: Explained): Meaning | undefined {
  const said = foundInLogs(input.subject, OF_SERVICE);
  const place = input.place();
  return said === '' || !place || place.spec.enableServiceLinks === false
    ? undefined
    : {
        ...meaning,
        because: `Kubernetes sets variables for each Service, and the program takes one for a setting: ${code(said, 160)}`,
        culprit: `enableServiceLinks: ${said}`.slice(0, 200),
        advice: ['Switch the variables of Services off.'],
        corrections: [withoutServiceLinks(place)],
        whereToLook: 'the Services of the namespace whose name begins the name of the variable',
      };
}

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

/** A line that settings may have caused. */
const OF_SETTINGS = /^(?:spring-|variable-|setting-|certificate|connection-string|driver-|python-|url-)/;

function ofOddSection(explained: Explained): Meaning | undefined {
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

/** Where programs look for a server of which they know nothing. */
const OWN_HOST = /\b(?:127\.0\.0\.1|localhost)\b|\[?::1\]?:/;

function ofOddName(explained: Explained): Meaning | undefined {
  const { input, log, inCode } = explained;
  const odd = log.signature.general === true || inCode || OWN_HOST.test(log.line) ? oddPrefix(input) : undefined;
  return odd && ofOdd(explained, odd);
}

/** A host that no setting names, where a well-known image reads another variable than the one with the host. */
function ofHost({ input, log, meaning }: Explained): Meaning | undefined {
  const found = /^(?:name-unknown|connection-|no-connection)/.test(log.signature.id) ? hostOfImage(input) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.name}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`The image reads ${code(found.wanted)}, and not ${code(found.name)}.`],
      corrections: [found.correction],
    }
  );
}

/** What programs say of a server that speaks another protocol. */
const OTHER_PROTOCOL =
  /handshake|protocol|unexpected (?:EOF|response|packet|message|frame|character)|(?:socket|connection) (?:was )?(?:closed|reset)|closed (?:the )?connection|reset by peer|invalid (?:response|frame|packet)|malformed|bad (?:request|response)|\bHTTP\/1\.[01] 4|unknown command [`'"]?\w{2,20}[`'"]?,? with args|no servers available|server preface|frame too large/i;

function ofOtherPort({ input, log, meaning }: Explained): Meaning | undefined {
  const other = OTHER_PROTOCOL.test(log.line) ? clientPort(input, log.line) : undefined;
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
        ...meaning.advice.filter((line) => !line.startsWith(CORRECT_THE_CODE)),
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

function ofRemovedOption({ input, log, meaning, inCode }: Explained): Meaning | undefined {
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

/** What programs say of a server that they do not reach. */
const NOT_REACHED = /connect|deadline exceeded|timed? ?out|dial|transport|unavailable|no such file/i;

function ofSocket({ input, log, meaning }: Explained): Meaning | undefined {
  const found = NOT_REACHED.test(log.line) ? unmountedSocket(input) : undefined;
  return (
    found && {
      ...meaning,
      because: `nothing is at ${code(found.socket)}, which ${code(found.name)} names`,
      culprit: `${found.name}=${found.socket}`,
      advice: ['Mount the folder of the socket into this container, and name it as it is mounted here.'],
      corrections: found.corrections,
    }
  );
}

function ofUnusedKey({ input, log, meaning, inCode }: Explained): Meaning | undefined {
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

/** Lines of servers that refuse a login. */
const OF_LOGIN = /-(?:login|credentials)$/;

function ofLateReference({ input, log, meaning, inCode }: Explained): Meaning | undefined {
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

function ofNamedUnset({ input, log, meaning }: Explained): Meaning | undefined {
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

/** Whether a line may be there because of the credentials that a program has. */
const isOfCredentials = ({ log, inCode }: Explained): boolean =>
  OF_LOGIN.test(log.signature.id) || inCode || log.signature.general === true || log.signature.id === 'cloud-answer';

function ofSwappedKeys(explained: Explained): Meaning | undefined {
  const { input, log, meaning } = explained;
  const swapped = isOfCredentials(explained) || OF_SETTINGS.test(log.signature.id) ? swappedKeys(input) : undefined;
  return (
    swapped && {
      ...meaning,
      culprit: `${swapped.names.join(' and ')} have each other's key: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`${code(swapped.names[0])} and ${code(swapped.names[1])} have each other's key.`],
      corrections: [swapped.correction],
    }
  );
}

function ofMisspeltWord({ input, log, meaning, inCode }: Explained): Meaning | undefined {
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

function ofMadeUpScheme({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const found = log.signature.general === true || inCode || OF_SETTINGS.test(log.signature.id) ? madeUpScheme(input) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.address} (${meaning.culprit ?? phraseIn(log.line)})`,
      advice: ['No server has this scheme.'],
      corrections: found.corrections,
    }
  );
}

/** A variable with the value of another key than its name says. */
function ofOddKey(explained: Explained): Meaning | undefined {
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

function ofDatabase({ input, log, meaning }: Explained): Meaning | undefined {
  const found = prepareDatabase(input, log.line);
  return found && { ...meaning, advice: [`Run ${code(found.command)} before the program starts.`], corrections: [found.correction] };
}

function ofExports({ input, log, meaning }: Explained): Meaning | undefined {
  const found = log.signature.general === true ? exportedVariables(input) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.names.join(', ')}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: ['Do what the message proposes.'],
      corrections: [found.correction],
    }
  );
}

/** What programs say when they cannot make something. */
const NOT_MADE =
  /\b(?:can ?not|can't|could ?n[o']t|failed to|unable to|failed (?:creat|initiali[sz]|open|writ)ing|error (?:creat|initiali[sz]|writ|sav)ing)(?: to)? ?(?:[a-z]{1,12} ){0,2}?(?:creat|initiali[sz]|writ|make|mkdir|lock|sav|stor|persist)|cannot initialize/i;

/** A path below a mount or a root that is read-only, where the line says that something cannot be made. */
function ofPath({ input, log, meaning }: Explained): Meaning | undefined {
  const isDatabase = /unable to open database file|SQLITE_CANTOPEN/.test(log.line);
  const unused = isDatabase ? inUnusedMount(input, '') : undefined;
  if (unused)
    return {
      ...meaning,
      culprit: `${unused.name}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: ['Let the program keep its data in the claim that is mounted for it.'],
      corrections: unused.corrections,
    };
  if (log.signature.general !== true || !NOT_MADE.test(log.line)) return undefined;
  const file = fileIn(log.line);
  const place = input.place();
  const mount = mountOf(place, file);
  const isReadOnly = mount ? mount.readOnly === true : place?.container?.securityContext?.readOnlyRootFilesystem === true;
  const elsewhere = file !== '' && !mount ? inUnusedMount(input, file) : undefined;
  if (elsewhere)
    return {
      ...meaning,
      culprit: `${elsewhere.name}=${file}`,
      advice: ['Let the program keep its data in the claim that is mounted for it.'],
      corrections: elsewhere.corrections,
    };
  const corrections = file !== '' && isReadOnly ? writableFolder(place, file, true) : [];
  return corrections.length === 0
    ? undefined
    : {
        ...meaning,
        culprit: `${file} (${mount ? `volume ${mount.name} is read-only` : 'readOnlyRootFilesystem'})`,
        advice: [whereToWrite(place, file)],
        corrections,
      };
}

function ofUnbroughtFile({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const found = log.signature.general === true || inCode ? unbroughtFile(input) : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.name}=${found.file}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`${code(found.name)} names a file that no volume brings.`],
      corrections: found.corrections,
    }
  );
}

function ofUnbroughtFolder({ input, log, meaning, inCode }: Explained): Meaning | undefined {
  const found =
    log.signature.general === true || inCode || /^(?:certificate|file-missing)$/.test(log.signature.id)
      ? unbroughtFolder(input)
      : undefined;
  return (
    found && {
      ...meaning,
      culprit: `${found.name}=${found.folder}: ${meaning.culprit ?? phraseIn(log.line)}`,
      advice: [`${code(found.name)} names a folder in which no volume is mounted.`],
      corrections: found.corrections,
    }
  );
}

/** What the line itself proposes. */
function ofProposal({ input, log: { line }, meaning }: Explained): Meaning {
  const addressed = [...advertisedAddress(input, line), ...ownAddress(input, line)];
  if (addressed.length > 0) return { ...meaning, corrections: addressed };
  const members = ownMember(input, line);
  if (members.length > 0) return { ...meaning, culprit: `initial-cluster: ${meaning.culprit ?? phraseIn(line)}`, corrections: members };
  const corrections = [
    ...withoutProgram(input, line),
    ...optionsBeforeScript(input, line),
    ...opensModule(input, line),
    ...knownKeyword(input, line),
    ...differentPort(input, line),
    ...pairedVariable(input, line),
    ...contradictedVariable(input, line),
    ...replacedWord(input, line),
    ...listedWord(input, line),
    ...forbiddenVariable(input, line),
    ...widerPermission(input, line),
    ...proposedOption(input, line),
  ].slice(0, 1);
  const [first] = corrections;
  if (first) return { ...meaning, culprit: withOption(meaning.culprit, first), advice: ['Do what the message proposes.'], corrections };
  return { ...meaning, corrections: lackingPort(input, line) };
}

/** The culprit, with the option that the program proposes: what is not there yet has no other name. */
function withOption(culprit: string | null, { changes: [only] }: Correction): string | null {
  const option = only?.from === null && typeof only.to === 'string' ? /^-{1,2}[\w.-]{2,80}/.exec(only.to)?.[0] : undefined;
  return option === undefined || culprit?.includes(option) ? culprit : `${culprit ?? ''} (${option})`.trim();
}

/** Whether the line may be there because the program runs with other settings than somebody wanted. */
function isAboutSettings({ signature }: LogFact): boolean {
  return signature.general === true || /^(?:spring-|variable-|setting-)/.test(signature.id);
}
