import type { Loose } from './step.ts';

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const UID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Members whose value is different on every server. */
const OWN: Record<string, string> = {
  resourceVersion: 'VERSION',
  continue: 'TOKEN',
  storageVersionHash: 'HASH',
  clusterIP: 'ADDRESS',
};

const maskedText = (text: string): string =>
  text
    .replace(UID, 'UID')
    .replace(INSTANT, 'TIME')
    .replace(/\bcontinue=\w+/, (found) => (found === 'continue=nonsense' ? found : 'continue=TOKEN'))
    .replace(/(patch: )?(Invalid value: )"(\{|map\[).*":/s, '$1$2OBJECT:')
    .replace(/\b(made-|Made-|kube-api-access-)[a-z0-9]{5}\b/g, '$1XXXXX')
    .replace(/\bResourceVersion: \d+|object meta: \d+|in record \(\d+/gi, (found) => found.replace(/\d+/, 'VERSION'))
    .replace(/too old resource version: (\d+) \(\d+\)/, 'too old resource version: $1 (VERSION)');

const holder = ({ operation, manager, subresource }: Loose): string => `${operation} ${manager} ${subresource ?? ''}`;

/** Masks what differs from run to run: uids, times, resource versions, generated names, addresses. */
export function masked(value: Loose, key = ''): Loose {
  if (typeof value === 'string') return OWN[key] && value ? OWN[key] : maskedText(value);
  // The server sorts them by time in whole seconds, so their order differs from run to run.
  if (key === 'managedFields' && Array.isArray(value)) value.sort((a, b) => (holder(a) < holder(b) ? -1 : 1));
  if (Array.isArray(value)) return key === 'clusterIPs' ? value.map(() => 'ADDRESS') : value.map((item) => masked(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [maskedText(name), masked(value[name], name)]),
  );
}
