import { hash } from 'node:crypto';

/** The part that makes a report large. */
export const SHAPES = [
  ...(['events', 'statuses', 'depth', 'one long line', 'many lines', 'one long name', 'a text of secrets'] as const),
  ...(['a text of many secrets', 'a manifest', 'a manifest of many secrets'] as const),
] as const;
export type Shape = (typeof SHAPES)[number];

const MESSAGE = 'Back-off pulling image "registry.example.test/shop/app:1.14.2"';
const EVENT = { type: 'Warning', reason: 'Failed', message: MESSAGE };
const LINE = '2026-05-01T10:00:00.123Z ERROR worker-1 connection to db.internal:5432 refused, retry in 3s\n';
const SECRET = 'password=hunter2-Xk29Lm token: "aB3dE5fG7hJ9kL1mN3pQ5rS7" user=admin\n';

const list = (bytes: number, entry: object): object[] =>
  Array.from({ length: Math.floor(bytes / JSON.stringify(entry).length) }, () => entry);
const text = (bytes: number, part: string): string => part.repeat(bytes / part.length);

/** As many parts as fit into that much JSON; each is made from its number. */
function parts(bytes: number, part: (n: number) => string): string {
  const all: string[] = [];
  for (let left = bytes; left > 0; left -= JSON.stringify(all.at(-1)).length - 2) all.push(part(all.length));
  return all.join('');
}
const secret = (n: number): string => hash('sha1', String(n), 'base64').slice(0, 20);
const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec:\n  containers:\n  - name: app\n    image: web:1\n    env:\n';
const variables = (bytes: number, variable: (n: number) => string): string => POD + parts(bytes, variable);

/** The rules read the manifest of such a report. */
const CRASHED = {
  container_statuses: [{ name: 'app', state: 'waiting', reason: 'CrashLoopBackOff', last_state: { state: 'terminated', exit_code: 1 } }],
};

const FIELDS: Record<Shape, (bytes: number) => object> = {
  events: (bytes) => ({ events: list(bytes, EVENT) }),
  statuses: (bytes) => ({ container_statuses: list(bytes, { name: 'app', state: 'waiting', reason: 'ErrImagePull', message: MESSAGE }) }),
  depth: () => ({}),
  'one long line': (bytes) => ({ logs: text(bytes, 'x') }),
  'many lines': (bytes) => ({ logs: text(bytes, LINE) }),
  'one long name': (bytes) => ({ pod_name: text(bytes, 'n') }),
  'a text of secrets': (bytes) => ({ logs: text(bytes, SECRET) }),
  'a text of many secrets': (bytes) => ({ logs: parts(bytes, (n) => `user${n} logs in with password=${secret(n)}\n`) }),
  'a manifest': (bytes) => ({
    ...CRASHED,
    manifest: variables(bytes, (n) => `    - name: SETTING_${n}\n      value: "value ${n} of the settings"\n`),
  }),
  'a manifest of many secrets': (bytes) => ({
    ...CRASHED,
    manifest: variables(bytes, (n) => `    - name: DB_PASSWORD_${n}\n      value: "${secret(n)}"\n`),
  }),
};

/** The body of a report of about `bytes` bytes about its own pod. The operator refuses the one with the overlong name. */
export function largeReport(shape: Shape, bytes: number, pod: string): string {
  const report = { pod_name: pod, namespace: 'shop', failure_reason: 'CrashLoopBackOff', container: 'app', ...FIELDS[shape](bytes) };
  const body = JSON.stringify(report);
  return shape === 'depth' ? `${body.slice(0, -1)},"nested":${text(bytes / 2, '[')}${text(bytes / 2, ']')}}` : body;
}
