import { isIP } from 'node:net';
import type { NotificationProvider, NotificationProviderSpec } from '../crd/notificationprovider.ts';
import { addressRule } from '../http.ts';
import type { KubeClient } from '../kube/client.ts';
import { type DataObject, KINDS } from '../kube/kinds.ts';
import { isTimeZone } from './policy/quiet-hours.ts';
import { mailLacks } from './types/email.ts';
import { SERVICES } from './types/list.ts';
import type { Service, Target } from './types/service.ts';

export const SECRET_TYPE = 'podmend.dev/notification';

/** A provider's target, or why it has none: a reason for programs and a message for people. */
export type Readiness = { target: Target } | { reason: string; message: string };

/** The service of a provider type; undefined for mail. */
export const serviceOf = ({ type }: Pick<NotificationProviderSpec, 'type'>): Service | undefined =>
  type === 'email' ? undefined : SERVICES[type];

export interface ReadinessDeps {
  client: Pick<KubeClient, 'read'>;
  operatorNamespace: string;
  /** `ALLOW_PRIVATE_ADDRESSES`. */
  allowedRanges: readonly string[];
}

/** Finds the target. Reads the provider's Secret each time, so that a new Secret works at once. Throws the client's errors. */
export async function readTarget(provider: NotificationProvider, deps: ReadinessDeps): Promise<Readiness> {
  const { name } = provider.spec.secretRef;
  return judgeSecret(provider.spec, await deps.client.read(KINDS.secret, deps.operatorNamespace, name), deps.allowedRanges);
}

/** Whether messages can be sent with this Secret. */
export function judgeSecret(spec: NotificationProviderSpec, secret: DataObject | undefined, ranges: readonly string[]): Readiness {
  const { name } = spec.secretRef;
  if (!secret) return { reason: 'SecretMissing', message: `There is no Secret ${name}.` };
  if (secret.type !== SECRET_TYPE) return { reason: 'SecretOfOtherType', message: `The Secret ${name} is not of type ${SECRET_TYPE}.` };
  return judgeTarget(spec, valuesOf(secret), ranges);
}

/** Whether messages can be sent with these values of the Secret. */
export function judgeTarget(spec: NotificationProviderSpec, secret: Record<string, string>, ranges: readonly string[]): Readiness {
  const service = serviceOf(spec);
  const { channel, format } = spec;
  const target: Target = { address: secret.address || (service?.defaultAddress ?? ''), channel, format, secret };
  const lacks = service ? service.lacks(target) : mailLacks(target);
  if (lacks) return { reason: 'SecretIncomplete', message: `Incomplete: ${lacks}.` };
  const refusal = addressRefusal(target.address, service !== undefined, ranges);
  if (refusal) return { reason: 'AddressNotAllowed', message: refusal };
  const zone = (spec.quietHours ?? []).find(({ timeZone }) => !isTimeZone(timeZone));
  if (zone) return { reason: 'UnknownTimeZone', message: `Nobody knows the time zone ${zone.timeZone}.` };
  return { target };
}

function addressRefusal(address: string, isHttp: boolean, ranges: readonly string[]): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) return 'The address in the Secret is not a URL.';
  if (isHttp && url.protocol !== 'https:' && !(url.protocol === 'http:' && ranges.length > 0))
    return 'The address must begin with https://. http:// works only with ALLOW_PRIVATE_ADDRESSES, and for addresses in it.';
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(host) && !addressRule(ranges)(host))
    return 'The address is not a public one. ALLOW_PRIVATE_ADDRESSES names others that may be reached.';
  return undefined;
}

/** The decoded values of a Secret, without surrounding whitespace. */
export function valuesOf({ data = {} }: DataObject): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8').trim()]));
}
