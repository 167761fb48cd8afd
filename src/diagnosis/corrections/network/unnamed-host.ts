import type { RuleInput } from '../../facts/input.ts';
import { givenIn } from '../given-values.ts';

/** Settings that hold the name of a server, or addresses with such names. */
const OF_SERVER = /(?:host(?:name)?s?|addr(?:ess(?:es)?)?|server|servers|endpoint|broker|brokers|ur[il]|dsn|upstream|target|nodes?)$/i;
/** The host of an address: behind the scheme and the user, or at the beginning. */
const HOST = /(?:^|:\/\/)(?:[^\s@/]{1,80}@)?([a-z][a-z\d-]{1,62}(?:\.[a-z\d-]{1,63}){0,8})(?=:(?!\/\/)|[/?,]|$)/g;
/** A scheme without its slashes (`jdbc:postgresql`) is no host. */
const SCHEME = /^(?:jdbc|https?|tcp|amqps?|rediss?|postgres(?:ql)?|mysql|mongodb|nats|kafka|unix|file|localhost)$/;

/**
 * The only host in the container's settings of which the namespace has no Service, for a line that names no host; empty if none or several are
 * found. `isMeant` limits the settings by their names.
 */
export function unknownHost(input: RuleInput, isMeant: (name: string) => boolean = () => true): string {
  const place = input.place();
  const services = input.subject.surroundings?.services;
  if (!place || !services) return '';
  const hosts = givenIn(place)
    .filter(({ name, value }) => OF_SERVER.test(name) && isMeant(name) && value.length < 600)
    .flatMap(({ value }) => value.split(',').flatMap((one) => [...one.trim().matchAll(HOST)].map(([, host = '']) => host)));
  const unknown = [...new Set(hosts)].filter((host) => {
    const [first = '', second] = host.split('.');
    const isOfCluster = second === undefined || second === input.subject.namespace || host.includes('.svc');
    return isOfCluster && !SCHEME.test(host) && !services.some(({ name }) => name === first);
  });
  const [only = '', ...more] = unknown;
  return more.length === 0 ? only : '';
}

/** `127.0.0.1:3306`, for a line that names no address: the only setting for a host that holds the pod itself, with the port beside it. */
export function ownAddressGiven(input: RuleInput): string {
  const given = ((place) => (place ? givenIn(place) : []))(input.place());
  const [only, ...more] = given.filter(({ name, value }) => /HOST(?:NAME)?$/i.test(name) && /^(?:localhost|127\.0\.0\.1)$/.test(value));
  const prefix = only?.name.replace(/HOST(?:NAME)?$/i, '') ?? '';
  const port = given.find(({ name, value }) => name.toUpperCase() === `${prefix}PORT`.toUpperCase() && /^\d{2,5}$/.test(value))?.value;
  return only && more.length === 0 && port !== undefined ? `${only.value}:${port}` : '';
}
