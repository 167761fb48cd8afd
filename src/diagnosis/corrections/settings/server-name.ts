import { fieldPath } from '../../../crd/field-path.ts';
import type { Container } from '../../../crd/kubernetes.ts';
import type { ServerAround } from '../../case.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { SET_UP, type SetUp } from '../../facts/servers.ts';
import { selectsPods } from '../../facts/service.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { type Given, givenIn, rewritten } from '../given-values.ts';
import { nearest, nearestName } from '../similar-names.ts';
import { textsOf } from '../container-texts.ts';

/** Something on a server that has a name. */
export type NamedThing = SetUp | 'bucket' | 'realm' | 'topic';

interface Kind {
  word: string;
  /** The names of settings that hold only the name. */
  variable: RegExp;
  /** What stands before and behind the name in an address or a list of settings; `NAME` for the name itself. */
  within: readonly string[];
  /** How texts in ConfigMaps show an existing name. */
  shown: readonly RegExp[];
}

const END = String.raw`(?=[/?;&\s]|$)`;
const KINDS: Readonly<Record<NamedThing, Kind>> = {
  database: {
    word: 'database',
    variable: /(?:^|[_.-])(?:DB|DATABASE|PGDATABASE|SCHEMA)$|(?:DB|DATABASE|PG|POSTGRES\w*|MYSQL|MARIADB|MONGO\w*)_?NAME$|^dbname$/i,
    within: [String.raw`(:\/\/[^/\s]{1,200}\/)NAME${END}`, String.raw`((?:^|[;\s&?])(?:dbname|database|initial catalog)=)NAME${END}`],
    shown: [/\bCREATE DATABASE (?:IF NOT EXISTS )?["`]?([\w-]{1,63})/gi],
  },
  user: {
    word: 'user',
    variable: /USER(?:NAME)?$|LOGIN$/i,
    within: [String.raw`(:\/\/)NAME(?=[:@])`, String.raw`((?:^|[;\s&?])(?:user|user ?id|uid|username)=)NAME${END}`],
    shown: [/\bCREATE (?:USER|ROLE) (?:IF NOT EXISTS )?["`']?([\w-]{1,63})/gi],
  },
  vhost: {
    word: 'virtual host',
    variable: /V_?HOST|VIRTUAL_?HOST/i,
    within: [String.raw`(amqps?:\/\/[^/\s]{1,200}\/)NAME(?=[?\s]|$)`],
    shown: [/"vhost"\s*:\s*"([\w.-]{1,100})"/g, /\badd_vhost ([\w.-]{1,100})/g],
  },
  bucket: {
    word: 'bucket',
    variable: /BUCKET(?:_?NAME)?$/i,
    within: [String.raw`(s3:\/\/)NAME${END}`, String.raw`(s3:https?:\/\/[^/\s]{1,200}\/)NAME${END}`],
    shown: [/\bmb (?:--?[\w-]{1,40} ){0,4}(?:s3:\/\/|[\w-]{1,40}\/)([\w.-]{3,63})/g],
  },
  realm: {
    word: 'realm',
    variable: /REALM(?:_?NAME)?$/i,
    within: [String.raw`(\/realms\/)NAME${END}`],
    shown: [/\/realms\/([\w.-]{1,60})/g, /"realm"\s*:\s*"([\w.-]{1,60})"/g],
  },
  topic: {
    word: 'topic',
    variable: /TOPICS?(?:_?NAME)?$/i,
    within: [],
    shown: [/--topic[= ]([\w.-]{1,120})/g],
  },
};

/** A name that exists, and where it was found. */
interface Known {
  name: string;
  why: string;
}

/** A setting with a name that does not exist. */
interface Part {
  given: Given;
  before: string;
  after: string;
  wrong: string;
}

/**
 * Replaces a name that the server does not have with the one that it has, in the only setting with the wrong name. If the line does not say the
 * wrong name (`wrong` is undefined), the only setting of that kind counts.
 */
export function nameOfServer(
  input: RuleInput,
  thing: NamedThing,
  wrong?: string,
): { name: string; wrong: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const [only, ...more] = place ? givenIn(place).flatMap((given) => partOf(given, thing, wrong)) : [];
  if (!place || !only || more.length > 0) return undefined;
  const known = ofServer(input, thing) ?? ofConfigMaps(input, thing, only) ?? ofOthers(place, only, thing) ?? besideIt(only);
  const { word } = KINDS[thing];
  const corrections: Correction[] =
    !known || known.name === only.wrong
      ? []
      : [
          {
            title: `Use the ${word} ${code(known.name)}`,
            changes: [rewritten(place, only.given, `${only.before}${known.name}${only.after}`, known.why)],
            confidence: 'likely',
            explanation: `The server has no ${word} ${code(only.wrong)}.`,
            mirrorable: true,
          },
        ];
  return { name: only.given.name, wrong: only.wrong, corrections };
}

/** The corrections alone. */
export const otherNameOf = (input: RuleInput, thing: NamedThing, wrong: string): Correction[] =>
  nameOfServer(input, thing, wrong)?.corrections ?? [];

/** For a user that may not use the virtual host `/`, which an address without one means: the virtual host that the server was made with. */
export function ownVhost(input: RuleInput): Correction[] {
  const place = input.place();
  const known = ofServer(input, 'vhost');
  const found = (place ? givenIn(place) : []).flatMap((given) => {
    const base = /^(amqps?:\/\/[^/\s]{1,200}?)(?:\/{0,2}|\/%2f)$/i.exec(given.value)?.[1];
    return base === undefined ? [] : [{ given, base }];
  });
  const [only, ...more] = found;
  if (!place || !known || known.name === '/' || !only || more.length > 0) return [];
  return [
    {
      title: `Use the virtual host ${code(known.name)}`,
      changes: [rewritten(place, only.given, `${only.base}/${known.name}`, known.why)],
      confidence: 'likely',
      explanation: 'An address without a virtual host means `/`, which this user has no right to use.',
      mirrorable: true,
    },
  ];
}

/** Where the name stands in a value: as all of it, in an address, or behind its word (`dbname=shop`). */
function partOf(given: Given, thing: NamedThing, wrong: string | undefined): Part[] {
  const { name, value } = given;
  const { variable, within } = KINDS[thing];
  if (variable.test(name.replace(/^-+/, '')) && (wrong === undefined ? /^[\w.-]{1,120}$/.test(value) : value === wrong))
    return [{ given, before: '', after: '', wrong: value }];
  const written = wrong === undefined ? String.raw`[\w.-]{1,120}` : wrong.replaceAll(/[^\w-]/g, String.raw`\$&`);
  for (const pattern of within) {
    const found = new RegExp(
      pattern.replace('NAME', () => `(${written})`),
      'i',
    ).exec(value);
    const [, before = '', name_ = ''] = found ?? [];
    if (found) {
      const at = found.index + before.length;
      return [{ given, before: value.slice(0, at), after: value.slice(at + name_.length), wrong: name_ }];
    }
  }
  return [];
}

/** The servers behind the Services that the container calls. */
function calledServers({ subject, place }: RuleInput): ServerAround[] {
  const { servers = [], services = [] } = subject.surroundings ?? {};
  const text = textsOf(place()?.container).join('\n').slice(0, 8000);
  const called = services.filter(({ name }) => new RegExp(`(?<![\\w.-])${name.replaceAll(/[^\w-]/g, '')}(?![\\w-])`).test(text));
  return servers.filter(({ labels }) => called.some((service) => selectsPods(service, labels)));
}

function ofServer(input: RuleInput, thing: NamedThing): Known | undefined {
  const [name, ...more] = new Set(calledServers(input).flatMap(({ names }) => (names as Partial<Record<NamedThing, string>>)[thing] ?? []));
  return name === undefined || more.length > 0 ? undefined : { name, why: `the server was set up with ${code(name)}` };
}

/** The only name that the ConfigMaps of the namespace show, or the only similar one of several. */
function ofConfigMaps({ subject }: RuleInput, thing: NamedThing, { wrong }: Part): Known | undefined {
  const found = new Map<string, string>();
  for (const { object, key, value } of subject.surroundings?.settings ?? [])
    for (const name of namesIn(thing, key, value)) if (!found.has(name)) found.set(name, object);
  if (found.has(wrong)) return undefined;
  const names = [...found.keys()];
  const near = nearestName(wrong, names);
  const name = names.length === 1 ? names[0] : near.length === 1 ? near[0] : undefined;
  return name === undefined ? undefined : { name, why: `ConfigMap ${code(found.get(name) ?? '')} has ${code(name)}` };
}

function namesIn(thing: NamedThing, key: string, value: string): string[] {
  const { shown, variable } = KINDS[thing];
  const isName = (thing in SET_UP ? SET_UP[thing as SetUp] : variable).test(key) && /^[\w.-]{1,120}$/.test(value);
  return [...(isName ? [value] : []), ...shown.flatMap((pattern) => [...value.matchAll(pattern)].map(([, name = '']) => name))];
}

/** What another container of the pod has in the same setting, or in an address of the same server. */
function ofOthers({ spec, container }: ContainerPlace, part: Part, thing: NamedThing): Known | undefined {
  const others = [...(spec.initContainers ?? []), ...spec.containers].filter(({ name }) => name !== container?.name);
  const names = new Set(others.flatMap(valuesIn).flatMap((value) => nameIn(value, part, thing)));
  names.delete(part.wrong);
  const [name, ...more] = names;
  return name === undefined || more.length > 0 ? undefined : { name, why: `another container of the pod has ${code(name)} there` };
}

const valuesIn = ({ env = [] }: Container): { name: string; value: string }[] =>
  env.flatMap(({ name, value }) => (typeof value === 'string' ? [{ name, value }] : []));

/** An address, with its server and the name behind it. */
const ADDRESS = /:\/\/(?:[^@/\s]{0,200}@)?([^/\s]{1,200})\/([\w.-]{0,100})(?=[?;]|$)/;

function nameIn(other: { name: string; value: string }, { given, before }: Part, thing: NamedThing): string[] {
  if (before === '') return other.name === given.name ? [other.value] : [];
  const server = ADDRESS.exec(before)?.[1];
  const [, host, path = ''] = ADDRESS.exec(other.value) ?? [];
  return thing !== 'user' && server !== undefined && host === server && path !== '' ? [path] : [];
}

/** The user in the same address, if the wrong name is a typo of it. */
function besideIt({ before, wrong }: Part): Known | undefined {
  const user = /:\/\/([\w.-]{3,60})(?::[^@/\s]{0,200})?@/.exec(before)?.[1];
  return user !== undefined && nearest(wrong, [user]).length > 0 ? { name: user, why: 'its user is called so' } : undefined;
}

/**
 * For a refused login: takes the password from the Secret key that the server itself uses, or, if it is the same key, uses the server's user.
 */
export function credentialsOfServer(input: RuleInput, user: string | undefined): Correction[] {
  const place = input.place();
  const [only, ...others] = (place?.container?.env ?? []).flatMap(({ name, valueFrom }, index) =>
    valueFrom?.secretKeyRef && /PASS|PWD/i.test(name) ? [{ name, index, ref: valueFrom.secretKeyRef }] : [],
  );
  if (!place || !only || others.length > 0) return [];
  const isSame = ({ password }: ServerAround): boolean => only.ref.name === password?.secret && only.ref.key === password?.key;
  const isUser = ({ names }: ServerAround): boolean => user === undefined || (names.user ?? user) === user;
  const [server, ...more] = calledServers(input).filter((one) => one.password && (isUser(one) || isSame(one)));
  if (!server?.password || more.length > 0) return [];
  if (!isSame(server)) return [passwordOf(place, only, server.password)];
  return isUser(server) ? userOfServer(place, server) : otherNameOf(input, 'user', user ?? '');
}

function passwordOf(
  place: ContainerPlace,
  { name, index, ref }: { name: string; index: number; ref: { name?: string; key?: string } },
  wanted: { secret: string; key: string },
): Correction {
  const path = fieldPath(place.path, 'env', index, 'valueFrom', 'secretKeyRef');
  const why = 'the server itself has its password from there';
  return {
    title: `Take ${code(name)} from key ${code(wanted.key)} of Secret ${code(wanted.secret)}`,
    changes: [
      ...(ref.name === wanted.secret ? [] : [change(place, fieldPath(path, 'name'), wanted.secret, why)]),
      ...(ref.key === wanted.key ? [] : [change(place, fieldPath(path, 'key'), wanted.key, why)]),
    ],
    confidence: 'likely',
    explanation: `The server takes the password in Secret ${code(wanted.secret)}, and the container sends another one.`,
    mirrorable: ref.name === wanted.secret,
  };
}

/** Takes the container's only plain user name from the Secret key that the server itself uses. */
function userOfServer(place: ContainerPlace, { userFrom }: ServerAround): Correction[] {
  const [only, ...more] = (place.container?.env ?? []).flatMap(({ name, value }, index) =>
    typeof value === 'string' && /USER(?:NAME)?$/i.test(name) ? [{ name, index }] : [],
  );
  if (!userFrom || !only || more.length > 0) return [];
  const entry = { name: only.name, valueFrom: { secretKeyRef: { name: userFrom.secret, key: userFrom.key } } };
  return [
    {
      title: `Take ${code(only.name)} from key ${code(userFrom.key)} of Secret ${code(userFrom.secret)}`,
      changes: [change(place, fieldPath(place.path, 'env', only.index), entry, 'the server itself has its user from there')],
      confidence: 'likely',
      explanation: 'The password is that of the server, so the user is another one.',
      mirrorable: false,
    },
  ];
}
