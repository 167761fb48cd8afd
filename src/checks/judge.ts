import type { Change } from '../contract/failure.ts';
import type { ResourceFindings } from '../contract/finding.ts';
import { fullRepository, parseImage } from '../crd/image.ts';
import { valueAt } from '../crd/field-path.ts';
import type { KubeObject, PodTemplate } from '../crd/kubernetes.ts';
import { maskImage } from '../redact/image.ts';
import { maskManifest } from '../redact/manifest.ts';
import type { Around, CheckTexts, Subject, Violation } from './check.ts';
import { OBJECT_CHECKS, WORKLOAD_CHECKS } from './list.ts';
import { mapping, placesOf } from './containers.ts';
import { controlsOf, POD_SECURITY_CHECKS, podSecurityViolations } from './pod-security/index.ts';

/** A finding of a check about an object, as `PUT /api/security/findings/resource/…` takes it. */
export type Found = ResourceFindings['findings'][number] & { details: FoundDetails };

/** `details` of a finding of these checks. */
export interface FoundDetails extends Record<string, unknown> {
  title: string;
  /** Why it matters: what an attacker could do. */
  rationale: string;
  container?: string;
  field_paths: string[];
  frameworks: CheckTexts['frameworks'];
  references: string[];
  /** The changes of the object that remove the problem; absent if no field can do that. */
  fix?: Change[];
  /** The container's image, as written and with its registry. Suppressions match it. */
  images?: string[];
  labels?: Record<string, string>;
  /** The policy that refuses this today, as a sentence; absent if there is none. */
  enforced_by?: string;
  /**
   * Other policies and webhooks that examine such objects and may refuse this one, as `Kind name`. Present only if nothing certainly
   * refuses it.
   */
  may_be_refused_by?: string[];
}

export interface JudgeOptions {
  /** The minor version of Kubernetes whose rules apply; Infinity is the newest. */
  minor: number;
  around: Around;
}

/** Kinds with pods, and the path of their template. */
const TEMPLATES: Record<string, string> = {
  Pod: '',
  Deployment: 'spec.template',
  StatefulSet: 'spec.template',
  DaemonSet: 'spec.template',
  ReplicaSet: 'spec.template',
  ReplicationController: 'spec.template',
  Job: 'spec.template',
  CronJob: 'spec.jobTemplate.spec.template',
};

/** The kinds whose pods are judged. */
export const WORKLOAD_KINDS: readonly string[] = Object.keys(TEMPLATES);

/** All findings of the checks about an object, in the order of the checks. Pure and total: it accepts any object. */
export function judgeObject(object: KubeObject, options: JudgeOptions): Found[] {
  const reviewed = options.around.reviewed?.(object, options.minor);
  const others = OBJECT_CHECKS.filter(({ kinds }) => !kinds || kinds.includes(object.kind ?? '')).flatMap((check) =>
    grouped(check, check.look(object, options.around)).map((group) => foundOf(group, { object, base: '', template: undefined, reviewed })),
  );
  const base = Object.hasOwn(TEMPLATES, object.kind ?? '') ? TEMPLATES[object.kind ?? ''] : undefined;
  const template = base === undefined ? undefined : templateAt(object, base);
  if (base === undefined || !template) return others;
  const { namespace = '' } = mapping<KubeObject['metadata']>(object.metadata);
  const subject: Subject = { template, kind: object.kind ?? '', namespace, ...options };
  const place: Place = { object, base, template, imagesOf: imageFinder(template), reviewed, enforced: options.around.enforced };
  return [...podGroups(subject).map((group) => foundOf(group, place)), ...others];
}

/** The template of a workload; undefined when the object has none, whatever its kind. */
function templateAt(object: KubeObject, base: string): PodTemplate | undefined {
  const { metadata, spec } = mapping<PodTemplate>(base === '' ? object : valueAt(object, base));
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) return undefined;
  const { labels, annotations } = mapping<KubeObject['metadata']>(metadata);
  return { metadata: { labels: mapping(labels), annotations: mapping(annotations) } as KubeObject['metadata'], spec };
}

/** One finding: the violations of one check in one container (or of the pod). */
interface Group {
  isEnforced?: boolean;
  check: CheckTexts;
  violations: [Violation, ...Violation[]];
}

/** A control of restricted does not repeat the control of baseline that it replaces. */
function podGroups(subject: Subject): Group[] {
  const controls = POD_SECURITY_CHECKS.filter(({ control }) => control.since <= subject.minor);
  const said = new Map<string, Set<string>>();
  const groups = controls.flatMap((check) => {
    const before = said.get(check.control.replaces ?? '');
    const violations = check.run(subject).filter(({ path }) => !before?.has(path));
    said.set(check.id, new Set(violations.map(({ path }) => path)));
    return grouped(check, violations);
  });
  const enforced = enforcedIn(subject);
  return [
    ...groups.map((group) => ({ ...group, isEnforced: enforced.has(group.check.id) })),
    ...WORKLOAD_CHECKS.flatMap((check) => grouped(check, check.run(subject))),
  ];
}

/** Ids of the controls that the namespace's admission enforces on the pod. Refusing a control also refuses the control that it replaces. */
function enforcedIn({ template, around: { enforced } }: Subject): Set<string> {
  if (!enforced) return new Set();
  const { level, minor } = enforced;
  const ids = new Set(podSecurityViolations(template, level, minor).map(({ check }) => check.id));
  for (const { id, control } of controlsOf(level, minor)) if (control.replaces && ids.has(id)) ids.add(control.replaces);
  return ids;
}

function grouped(check: CheckTexts, violations: Violation[]): Group[] {
  if (violations.length === 0) return [];
  const groups = new Map<string | undefined, Violation[]>();
  for (const violation of violations) groups.set(violation.container, [...(groups.get(violation.container) ?? []), violation]);
  return [...groups.values()].map((some) => ({ check, violations: some as [Violation, ...Violation[]] }));
}

interface Place {
  object: KubeObject;
  base: string;
  template: PodTemplate | undefined;
  imagesOf?: (container: string) => { images?: string[] };
  enforced?: Around['enforced'];
  reviewed: ReturnType<NonNullable<Around['reviewed']>> | undefined;
}

/** The API accepts longer messages, but nobody reads them. */
const MAX_MESSAGE = 1000;

function foundOf({ check, violations, isEnforced }: Group, { object, base, template, imagesOf, enforced, reviewed }: Place): Found {
  const { id, title, severity, rationale, remediation, frameworks, references } = check;
  const [{ container }] = violations;
  const at = (path: string): string => (base === '' || path === 'metadata.namespace' ? path : `${base}.${path}`);
  const fix = changesOf(check, violations, object, at);
  const labels = template?.metadata?.labels ?? {};
  return {
    check_name: id,
    severity,
    message: [...new Set(violations.map(sentence))].join(' ').slice(0, MAX_MESSAGE),
    remediation,
    details: {
      title,
      rationale,
      ...(container === undefined ? {} : { container }),
      field_paths: violations.map(({ path }) => at(path)),
      frameworks,
      references,
      ...(fix.length > 0 ? { fix } : {}),
      ...(container === undefined ? {} : imagesOf?.(container)),
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      ...refusalOf([isEnforced && enforced && `Pod Security ${enforced.level} of the namespace`, reviewed?.denies.get(id)], reviewed?.may),
    },
  };
}

/** A cluster can have dozens of webhooks. */
const MOST_REVIEWERS = 5;

function refusalOf([level, policy]: [string | false | undefined, string | undefined], may: readonly string[] = []): Partial<FoundDetails> {
  const sure = [...(level ? [level] : []), ...(policy === undefined ? [] : [`the policy ${policy}`])];
  if (sure.length > 0) return { enforced_by: sure.join(' and ') };
  return may.length > 0 ? { may_be_refused_by: may.slice(0, MOST_REVIEWERS) } : {};
}

function sentence({ about, container, problem }: Violation): string {
  return `${about ?? (container === undefined ? 'The pod' : `Container ${container}`)} ${problem}.`;
}

/** The changes that remove all of the violations; none if one of them cannot be removed. Each field is changed once. */
function changesOf(check: CheckTexts, violations: Violation[], object: KubeObject, at: (path: string) => string): Change[] {
  if (violations.some(({ cures }) => cures.length === 0)) return [];
  const changes = new Map<string, Change>();
  for (const { path, to } of violations.flatMap(({ cures }) => cures)) {
    const from = maskManifest(valueAt(object, at(path)));
    changes.set(at(path), { path: at(path), from, to, why: check.title });
  }
  return [...changes.values()];
}

/** The images of each container, looked up once for all findings of an object. */
function imageFinder(template: PodTemplate): (container: string) => { images?: string[] } {
  const byName = new Map<string, { images?: string[] }>();
  for (const { container } of placesOf(template))
    if (typeof container.name === 'string' && !byName.has(container.name)) byName.set(container.name, imagesIn(container.image));
  return (container) => byName.get(container) ?? {};
}

function imagesIn(image: unknown): { images?: string[] } {
  if (typeof image !== 'string' || image === '') return {};
  const { repository } = parseImage(image);
  return { images: [...new Set([image, fullRepository(repository) + image.slice(repository.length)])].map(maskImage) };
}
