import type { EnvVar } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { Correction } from '../correction.ts';
import { isSet } from './variable.ts';

const HOST = /^(?<prefix>\w{1,80}?_{1,2})(?:HOST|HOSTNAME|SERVER|SERVICE_HOST|ADDR|ADDRESS)$/;
const PASSWORD_KEY = /^(?:[\w.-]{0,60}[_.-])?(?:password|passwd|pass)$/i;

/**
 * For a program that sends no password: adds the password variable that belongs to the host's variable, from the Secret with the server's name.
 * Empty if the container has a password, or if not exactly one Secret has that name.
 */
export function serverPassword(input: RuleInput, kind: RegExp): Correction[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const found = hostOf(env, kind);
  if (!place?.container || !found) return [];
  const name = `${found.prefix}PASSWORD`;
  const hasOne = env.some((one) => one.name.startsWith(found.prefix) && /PASS(?:WORD|WD)?$/.test(one.name));
  const [secret, ...more] = hasOne || isSet(input, name) ? [] : secretsOf(input, found.server);
  if (!secret || more.length > 0) return [];
  const entry = { name, valueFrom: { secretKeyRef: secret } };
  return [
    {
      title: `Take ${code(name)} from Secret ${code(secret.name)}`,
      changes: [change(place, fieldPath(place.path, 'env', env.length), entry, 'the program sends no password')],
      confidence: hasAny(env, found.prefix, 'PORT', 'USER', 'USERNAME') ? 'likely' : 'guess',
      explanation: `The Secret is called like the server that ${code(found.variable)} names, and has the key ${code(secret.key)}. That the program reads ${code(name)} is taken from the variables beside it.`,
      mirrorable: false,
    },
  ];
}

/** Whether the container has a variable of this beginning with one of the ends. */
const hasAny = (env: readonly EnvVar[], prefix: string, ...ends: string[]): boolean =>
  env.some(({ name }) => ends.some((end) => name === `${prefix}${end}`));

/** The variable with the host of such a server: the beginning of its name, and the server. */
function hostOf(env: readonly EnvVar[], kind: RegExp): { variable: string; prefix: string; server: string } | undefined {
  for (const { name, value = '' } of env) {
    const ofAddress = /^(\w{1,80}?_{1,2})UR[IL]$/.exec(name)?.[1];
    const isWithUser = ofAddress !== undefined && hasAny(env, ofAddress, 'USER', 'USERNAME');
    const host = isWithUser ? /:\/\/([a-z][a-z\d-]{0,62})(?=[.:/]|$)/.exec(value)?.[1] : undefined;
    if (isWithUser && host !== undefined && kind.test(value)) return { variable: name, prefix: ofAddress, server: host };
    const prefix = HOST.exec(name)?.groups?.['prefix'];
    const server = value.split(/[.:]/, 1)[0] ?? '';
    if (prefix !== undefined && server !== '' && (kind.test(name) || kind.test(value))) return { variable: name, prefix, server };
  }
  return undefined;
}

/** The Secrets with the server's name that have one key for an ordinary user's password. */
function secretsOf({ subject }: RuleInput, server: string): { name: string; key: string }[] {
  return (subject.surroundings?.secrets ?? []).flatMap(({ name, keys }) => {
    const isOfServer =
      server === name ||
      server.startsWith(`${name}-`) ||
      name.startsWith(`${server}-`) ||
      (server.length > 1 && name.endsWith(`-${server}`));
    const [key, ...more] = keys.filter((one) => PASSWORD_KEY.test(one) && !/replica|root|admin|sentinel/i.test(one));
    return isOfServer && key !== undefined && more.length === 0 ? [{ name, key }] : [];
  });
}
