/** The part that makes a report large. */
export const SHAPES = ['events', 'statuses', 'depth', 'one long line', 'many lines', 'one long name', 'a text of secrets'] as const;
export type Shape = (typeof SHAPES)[number];

const MESSAGE = 'Back-off pulling image "registry.example.test/shop/app:1.14.2"';
const EVENT = { type: 'Warning', reason: 'Failed', message: MESSAGE };
const LINE = '2026-05-01T10:00:00.123Z ERROR worker-1 connection to db.internal:5432 refused, retry in 3s\n';
const SECRET = 'password=hunter2-Xk29Lm token: "aB3dE5fG7hJ9kL1mN3pQ5rS7" user=admin\n';

const list = (bytes: number, entry: object): object[] =>
  Array.from({ length: Math.floor(bytes / JSON.stringify(entry).length) }, () => entry);
const text = (bytes: number, part: string): string => part.repeat(bytes / part.length);

const FIELDS: Record<Shape, (bytes: number) => object> = {
  events: (bytes) => ({ events: list(bytes, EVENT) }),
  statuses: (bytes) => ({ container_statuses: list(bytes, { name: 'app', state: 'waiting', reason: 'ErrImagePull', message: MESSAGE }) }),
  depth: () => ({}),
  'one long line': (bytes) => ({ logs: text(bytes, 'x') }),
  'many lines': (bytes) => ({ logs: text(bytes, LINE) }),
  'one long name': (bytes) => ({ pod_name: text(bytes, 'n') }),
  'a text of secrets': (bytes) => ({ logs: text(bytes, SECRET) }),
};

/** The body of a report of about `bytes` bytes about its own pod. The operator refuses the one with the overlong name. */
export function largeReport(shape: Shape, bytes: number, pod: string): string {
  const report = { pod_name: pod, namespace: 'shop', failure_reason: 'CrashLoopBackOff', container: 'app', ...FIELDS[shape](bytes) };
  const body = JSON.stringify(report);
  return shape === 'depth' ? `${body.slice(0, -1)},"nested":${text(bytes / 2, '[')}${text(bytes / 2, ']')}}` : body;
}
