import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../contract/failure.ts';
import type { EnvVar } from '../../crd/kubernetes.ts';
import type { Case } from '../../diagnosis/case.ts';
import { applyChanges, valueAt } from '../../crd/field-path.ts';
import { fullRepository, parseImage } from '../../crd/image.ts';
import { editDistance } from '../../diagnosis/corrections/similar-names.ts';
import { parseQuantity } from '../../crd/quantity.ts';
import { type LocatedChange, locateChanges, type ModelChange } from './locate-changes.ts';
import type { Diagnosis } from '../../diagnosis/diagnosis.ts';

/** A value that is checked. `from` is the current value, null when there is none. */
interface CheckedValue {
  to: ModelChange['to'];
  from: unknown;
  /** Whether the cluster has something of this kind with this name. */
  isKnown(kind: keyof KnownNames, text: string): boolean;
}

interface KnownNames {
  images: Set<string>;
  configMaps: Set<string>;
  keys: Set<string>;
  labels: Set<string>;
}

type ValueCheck = (checked: CheckedValue) => boolean;

const text =
  (pattern: RegExp): ValueCheck =>
  ({ to }) =>
    typeof to === 'string' && to.length <= 253 && pattern.test(to);
const whole =
  (min: number, max: number): ValueCheck =>
  ({ to }) =>
    Number.isInteger(to) && (to as number) >= min && (to as number) <= max;
const oneOf =
  (...values: string[]): ValueCheck =>
  ({ to }) =>
    typeof to === 'string' && values.includes(to);
const some =
  (...tests: ValueCheck[]): ValueCheck =>
  (checked) =>
    tests.some((test) => test(checked));
const removal: ValueCheck = ({ to }) => to === null;
/** Accepts the correction of a typo. Such a change is too small to introduce anything harmful. */
const typo: ValueCheck = ({ to, from }) =>
  typeof to === 'string' && typeof from === 'string' && PLAIN.test(to) && isTypo(from, to) && isDeepStrictEqual(hostsIn(from), hostsIn(to));
const known =
  (kind: keyof KnownNames): ValueCheck =>
  ({ to, isKnown }) =>
    typeof to === 'string' && isKnown(kind, to);

/** No blanks, quotes or characters that a shell or a template interprets. */
const PLAIN = /^[\w./:=@%+,-]{1,253}$/;
const PATH = /^\/(?!.*(?:^|\/)\.\.(?:\/|$))[\w./=&?%~+,@:-]{0,252}$/;
const PORT = some(whole(1, 65_535), text(/^(?=[a-z0-9-]{1,15}$)[a-z0-9]+(?:-[a-z0-9]+)*$/));
/** Words, numbers, quantities and switches. Hosts with a dot, addresses and commands are not settings. */
const SETTING = text(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$|^-?\d{1,12}(?:\.\d{1,6})?(?:[a-zA-Z]{1,3}|%)?$/);

/** Variables that can make an image run something else. */
const EXECUTING =
  /^(?:LD_|DYLD_|PATH$|BASH_ENV$|ENV$|IFS$|SHELL|PROMPT_COMMAND|NODE_OPTIONS|NODE_PATH|PYTHON|PERL|RUBY|JAVA_|JDK_|_JAVA|CLASSPATH|GIT_|.*_(?:COMMAND|CMD|HOOK|SCRIPT|EXEC|PLUGINS?|OPTS|OPTIONS|PROXY)$|.*PROXY$)/i;

/** Accepts a quantity of at most eight times the current one that fits a node. If none is set, accepts only a modest quantity. */
const quantity = (most: number, modest: number): ValueCheck =>
  some(removal, ({ to, from }) => {
    const amount = typeof to === 'string' ? parseQuantity(to) : undefined;
    const before = typeof from === 'string' || typeof from === 'number' ? parseQuantity(from) : undefined;
    return amount !== undefined && amount > 0 && amount <= Math.min(most, before ? before * 8 : modest);
  });
const GI = 2 ** 30;

/** The fields that a model may change, and the checks of their values. No other field is ever changed. */
const ALLOWED: [path: RegExp, test: ValueCheck][] = [
  [/^containers\[\]\.image$/, some(sameRepository, sameName)],
  [/^containers\[\]\.imagePullPolicy$/, oneOf('Always', 'IfNotPresent', 'Never')],
  [/^containers\[\]\.workingDir$/, some(removal, typo)],
  [/^containers\[\]\.(?:command|args)\[\]$/, typo],
  [/^containers\[\]\.env\[\]\.value$/, some(SETTING, typo)],
  [/^containers\[\]\.env\[\]\.valueFrom\.configMapKeyRef\.name$/, some(known('configMaps'), typo)],
  [/^containers\[\]\.env\[\]\.valueFrom\.(?:configMapKeyRef|secretKeyRef)\.key$/, some(known('keys'), typo)],
  [/^containers\[\]\.envFrom\[\]\.configMapRef\.name$/, some(known('configMaps'), typo)],
  [/^containers\[\]\.resources\.(?:limits|requests)\.cpu$/, quantity(32, 2)],
  [/^containers\[\]\.resources\.(?:limits|requests)\.memory$/, quantity(64 * GI, 2 * GI)],
  [/^containers\[\]\.resources\.(?:limits|requests)\.ephemeral-storage$/, quantity(64 * GI, 4 * GI)],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.httpGet\.path$/, text(PATH)],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.httpGet\.scheme$/, oneOf('HTTP', 'HTTPS')],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.(?:httpGet|tcpSocket)\.port$/, PORT],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.grpc\.port$/, whole(1, 65_535)],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.(?:initialDelaySeconds|periodSeconds|timeoutSeconds)$/, whole(0, 3600)],
  [/^containers\[\]\.(?:liveness|readiness|startup)Probe\.failureThreshold$/, whole(1, 1000)],
  [/^containers\[\]\.volumeMounts\[\]\.mountPath$/, typo],
  [/^containers\[\]\.volumeMounts\[\]\.subPath$/, some(removal, typo, known('keys'))],
  [/^containers\[\]\.ports\[\]\.containerPort$/, whole(1, 65_535)],
  [/^nodeSelector\[\]$/, some(removal, known('labels'), typo)],
  [/^volumes\[\]\.configMap\.name$/, some(known('configMaps'), typo)],
  [/^volumes\[\]\.(?:configMap|secret)\.items\[\]\.key$/, some(known('keys'), typo)],
  [/^volumes\[\]\.emptyDir\.sizeLimit$/, quantity(64 * GI, 4 * GI)],
  [/^(?:terminationGracePeriodSeconds|activeDeadlineSeconds)$/, whole(1, 86_400)],
];

/**
 * Turns the model's changes into changes of the case's manifest. Returns undefined if there are none, or if a single one is not allowed or
 * names an object that does not exist, because a part of a correction would be another correction. Changes that the rules also suggest are
 * always allowed.
 */
export function allowedChanges(modelChanges: readonly ModelChange[], subject: Case, rules: Diagnosis): Change[] | undefined {
  const all = locateChanges(modelChanges, subject.manifest());
  const offered = new Set(rules.corrections.flatMap(({ changes }) => changes.map(({ path, to }) => `${path}\n${JSON.stringify(to)}`)));
  const isKnown = knownTo(subject);
  const isAllowed = (one: LocatedChange): boolean => {
    const { from, change, path } = one;
    const { to } = change;
    return offered.has(`${path}\n${JSON.stringify(to)}`) || testsOf(one).some((test) => test({ to, from, isKnown }));
  };
  if (!all?.every(isAllowed)) return undefined;
  const changes = all.map(({ path, from, change: { to, why } }) => ({ path, from, to, why }));
  return hasTwoSources(applyChanges(subject.manifest(), changes), changes) ? undefined : changes;
}

/** Whether a changed variable would have two sources: a text and a reference, or two references. The API server refuses that. */
function hasTwoSources(changed: unknown, changes: readonly Change[]): boolean {
  return changes.some(({ path }) => {
    const variable = /^(.*\.env\[\d+\])\.value/.exec(path)?.[1];
    if (variable === undefined) return false;
    const { value, valueFrom } = (valueAt(changed, variable) ?? {}) as Partial<EnvVar>;
    return Boolean(valueFrom) && (Boolean(value) || Object.values(valueFrom ?? {}).filter(Boolean).length > 1);
  });
}

function testsOf({ form, names }: LocatedChange): ValueCheck[] {
  if (form.includes('.env[].') && EXECUTING.test(names.at(-1) ?? '')) return [];
  return ALLOWED.filter(([path]) => path.test(form)).map(([, test]) => test);
}

function sameRepository({ to, from }: CheckedValue): boolean {
  if (typeof to !== 'string' || typeof from !== 'string' || !/^[\w./:@-]{1,500}$/.test(to)) return false;
  return fullRepository(parseImage(to).repository) === fullRepository(parseImage(from).repository);
}

/** Accepts an image that the cluster already runs and that differs only in registry, folders and tag. */
function sameName(checked: CheckedValue): boolean {
  const { to, from } = checked;
  if (!known('images')(checked) || typeof to !== 'string' || typeof from !== 'string') return false;
  const [wanted, present] = [to, from].map((image) => parseImage(image).repository.split('/').at(-1) ?? '') as [string, string];
  return wanted === present || isTypo(present, wanted);
}

function isTypo(from: string, to: string): boolean {
  const limit = Math.max(1, Math.min(3, Math.floor(from.length / 4)));
  return Math.abs(from.length - to.length) <= limit && from.length <= 253 && editDistance(from, to) <= limit;
}

/** Hosts in addresses, and IP addresses. They must not change, because another machine would then receive the requests. */
const HOST = new RegExp(
  [
    '(?<=//|@)[\\w-]+(?:\\.[\\w-]+)+',
    '(?<=[=,]|^)(?:\\d{1,3}(?:\\.\\d{1,3}){3}|(?:[\\w-]+\\.)+(?!(?:[cm]?js|ts|py|sh|rb|[jw]ar|go|php|pl|lua|so|dll|exe|bin|conf|cfg|ini|json|ya?ml' +
      '|toml|xml|properties|env|txt|log|sql|db|html?|crt|pem|key|gz|zip|tar|wasm)\\b)[a-z][\\w-]+)(?=[:/?,]|$)',
  ].join('|'),
  'gi',
);

function hostsIn(text: string): string[] {
  return text.match(HOST) ?? [];
}

function knownTo({ surroundings = {} }: Case): CheckedValue['isKnown'] {
  const { configMaps = [], images = [], nodes = [] } = surroundings;
  const all: KnownNames = {
    images: new Set(images),
    configMaps: new Set(configMaps.map(({ name }) => name)),
    keys: new Set(configMaps.flatMap(({ keys }) => keys)),
    labels: new Set(nodes.flatMap(({ labels }) => Object.values(labels))),
  };
  return (kind, value) => all[kind].has(value);
}
