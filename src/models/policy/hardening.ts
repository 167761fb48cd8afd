import type { Change } from '../../contract/failure.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import { podSpecIn } from '../../diagnosis/facts/manifest.ts';
import { fieldPath, valueAt } from '../../crd/field-path.ts';
import { parseQuantity } from '../../crd/quantity.ts';
import { type LocatedChange, locateChanges, type ModelChange } from './locate-changes.ts';

/** A value that is checked. `from` is the value in effect: the container's, else the pod's; null for none. */
interface CheckedValue {
  to: ModelChange['to'];
  from: unknown;
}
type ValueCheck = (checked: CheckedValue) => boolean;

const is =
  (...values: ModelChange['to'][]): ValueCheck =>
  ({ to }) =>
    values.includes(to);
const GI = 2 ** 30;
/** Accepts a modest quantity if none is set. */
const amount =
  (most: number): ValueCheck =>
  ({ to, from }) => {
    const quantity = typeof to === 'string' ? parseQuantity(to) : undefined;
    return from === null && quantity !== undefined && quantity > 0 && quantity <= most;
  };
/** Accepts a user other than root, if no user or root is set. */
const ordinaryId: ValueCheck = ({ to, from }) =>
  (from === null || from === 0) && Number.isInteger(to) && (to as number) >= 1000 && (to as number) <= 65_535;
/** Accepts the runtime's default profile, but only if none is set, because another profile may be stricter. */
const defaultProfile: ValueCheck = ({ to, from }) => to === 'RuntimeDefault' && (from === null || from === 'Unconfined');

/** The fields that a model may make stricter, and how. No change can make anything less strict. */
const STRICTER: [path: RegExp, test: ValueCheck][] = [
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

/** The model's changes, if every change makes the object stricter. Otherwise, or if there are none, undefined. */
export function hardeningChanges(modelChanges: readonly ModelChange[], object: KubeObject): Change[] | undefined {
  const all = locateChanges(modelChanges, object);
  const isStricter = ({ form, path, change: { to } }: LocatedChange): boolean => {
    const from = valueInEffect(object, form, path);
    return STRICTER.some(([pattern, test]) => pattern.test(form) && test({ to, from }));
  };
  if (!all?.every(isStricter)) return undefined;
  return all.map(({ path, from, change: { to, why } }) => ({ path, from, to: to === 'ALL' ? ['ALL'] : to, why }));
}

/** The value in effect at a path. A container without a setting of its own has that of its pod. */
function valueInEffect(object: KubeObject, form: string, path: string): unknown {
  const own = valueAt(object, path);
  const [, field] = /^containers\[\]\.(securityContext\..+)$/.exec(form) ?? [];
  const place = podSpecIn(object);
  if (own !== null || !field || !place) return own;
  return valueAt(object, fieldPath(place.path, ...field.split('.')));
}
