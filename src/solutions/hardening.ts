import type { Change } from '../contract/failure.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { podSpecPlace } from './facts/shape.ts';
import { fieldPath, valueAt } from './fix/apply.ts';
import { parseQuantity } from './fix/quantity.ts';
import { type Placed, placed, type Proposal } from './place.ts';

/** What a value is held to. `from` is what holds there now: a container's own, else the pod's; null for nothing. */
interface Look {
  to: Proposal['to'];
  from: unknown;
}
type Test = (look: Look) => boolean;

const is =
  (...values: Proposal['to'][]): Test =>
  ({ to }) =>
    values.includes(to);
const GI = 2 ** 30;
/** Where nothing is said yet, something modest. */
const amount =
  (most: number): Test =>
  ({ to, from }) => {
    const quantity = typeof to === 'string' ? parseQuantity(to) : undefined;
    return from === null && quantity !== undefined && quantity > 0 && quantity <= most;
  };
/** Another user than root where there is none, or root. */
const ordinaryId: Test = ({ to, from }) =>
  (from === null || from === 0) && Number.isInteger(to) && (to as number) >= 1000 && (to as number) <= 65_535;
/** What somebody chose may be stricter than the runtime's own. */
const defaultProfile: Test = ({ to, from }) => to === 'RuntimeDefault' && (from === null || from === 'Unconfined');

/** The fields that a model may make stricter, and how. Whatever it proposes, nothing gets looser by it. */
const STRICTER: [path: RegExp, test: Test][] = [
  [/^containers\[\]\.securityContext\.(?:allowPrivilegeEscalation|privileged)$/, is(false)],
  [/^containers\[\]\.securityContext\.readOnlyRootFilesystem$/, is(true)],
  [/^(?:containers\[\]\.)?securityContext\.runAsNonRoot$/, is(true)],
  [/^(?:containers\[\]\.)?securityContext\.runAs(?:User|Group)$/, ordinaryId],
  [/^(?:containers\[\]\.)?securityContext\.seccompProfile\.type$/, defaultProfile],
  [/^containers\[\]\.securityContext\.capabilities\.drop$/, is('ALL')],
  [/^containers\[\]\.securityContext\.(?:capabilities\.add|procMount)$/, is(null)],
  [/^(?:hostNetwork|hostPID|hostIPC|shareProcessNamespace)$/, is(false, null)],
  [/^automountServiceAccountToken$/, is(false)],
  [/^containers\[\]\.volumeMounts\[\]\.readOnly$/, is(true)],
  [/^containers\[\]\.ports\[\]\.hostPort$/, is(null)],
  [/^containers\[\]\.imagePullPolicy$/, is('Always')],
  [/^containers\[\]\.resources\.(?:limits|requests)\.cpu$/, amount(2)],
  [/^containers\[\]\.resources\.(?:limits|requests)\.memory$/, amount(2 * GI)],
  [/^containers\[\]\.resources\.(?:limits|requests)\.ephemeral-storage$/, amount(4 * GI)],
];

/** The proposals as changes that make the object stricter; undefined when there are none, or any is something else. */
export function hardeningChanges(proposals: readonly Proposal[], object: KubeObject): Change[] | undefined {
  const all = placed(proposals, object);
  const isStricter = ({ form, path, proposal: { to } }: Placed): boolean => {
    const from = holding(object, form, path);
    return STRICTER.some(([pattern, test]) => pattern.test(form) && test({ to, from }));
  };
  if (!all?.every(isStricter)) return undefined;
  return all.map(({ path, from, proposal: { to, why } }) => ({ path, from, to: to === 'ALL' ? ['ALL'] : to, why }));
}

/** What holds at a path: a container without a setting of its own has the pod's. */
function holding(object: KubeObject, form: string, path: string): unknown {
  const own = valueAt(object, path);
  const [, field] = /^containers\[\]\.(securityContext\..+)$/.exec(form) ?? [];
  const place = podSpecPlace(object);
  if (own !== null || !field || !place) return own;
  return valueAt(object, fieldPath(place.path, ...field.split('.')));
}
