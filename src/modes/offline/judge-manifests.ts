import packageJson from '../../../package.json' with { type: 'json' };
import { rolesWithFiles } from '../../access/built-in.ts';
import type { RbacBinding } from '../../access/objects.ts';
import { aroundOf } from '../../checks/surroundings.ts';
import type { Around } from '../../checks/check.ts';
import { judgeObject, WORKLOAD_KINDS, type Found } from '../../checks/judge.ts';
import { CLUSTER_WIDE, SEVERITIES, type Severity } from '../../contract/finding.ts';
import { GROUP, isMirrorPod } from '../../crd/mirrorpod.ts';
import type { KubeObject, Pod } from '../../crd/kubernetes.ts';
import { subjectOfFinding } from '../../crd/suppression-subject.ts';
import type { Suppression } from '../../crd/suppression.ts';
import { findSuppression } from '../../suppressions/policy/match.ts';
import type { ManifestObject, Source } from './read-manifests.ts';
import { lineOf } from '../../crd/field-line.ts';

/** A finding in a manifest and its place in the file. */
export interface PlacedFinding extends Found {
  resource_type: string;
  resource_name: string;
  namespace: string;
  file: string;
  /** From 1. */
  line: number;
}

export interface ScanOptions {
  minor: number;
  trustedRegistries: readonly string[];
  /** The checks to run, whatever their severity; undefined for all. */
  checks: ReadonlySet<string> | undefined;
  /** Less severe findings are left out. */
  minSeverity: Severity;
  /** Keys (`keyOf`) of findings in the baseline. */
  known: ReadonlySet<string>;
  /** The namespace whose Suppressions apply to all namespaces. */
  operatorNamespace: string;
  now: Date;
  /** The use of rights according to an audit log; undefined without one. */
  usage?: Around['usage'];
}

/** All findings in manifests, in their order, except baselined, suppressed and disabled ones. */
export function scanManifests(manifests: readonly ManifestObject[], options: ScanOptions): PlacedFinding[] {
  const ofKind = (kind: string): KubeObject[] => manifests.filter(({ object }) => object.kind === kind).map(({ object }) => object);
  const policies = ofKind('NetworkPolicy');
  const bindings = [...ofKind('RoleBinding'), ...ofKind('ClusterRoleBinding')] as RbacBinding[];
  const accounts = ofKind('ServiceAccount');
  const whole = new Set(accounts.filter(({ metadata }) => metadata.name === 'default').map(({ metadata }) => metadata.namespace ?? ''));
  const around = aroundOf({
    // Files without any policy may not be all manifests of their namespace.
    policies: policies.length > 0 ? policies : undefined,
    accounts,
    trustedRegistries: options.trustedRegistries,
    namespaces: ofKind('Namespace'),
    // A built-in aggregated role may collect a role of the files.
    rbac: bindings.length > 0 ? { clusterRoles: rolesWithFiles(ofKind('ClusterRole')).clusterRoles, bindings } : undefined,
    // The default account is not written by hand, so files that contain it hold all accounts of a cluster.
    accountsKnownIn: (namespace) => whole.has(namespace),
    usage: options.usage,
    admission: {
      policies: ofKind('ValidatingAdmissionPolicy'),
      bindings: ofKind('ValidatingAdmissionPolicyBinding'),
      webhooks: ofKind('ValidatingWebhookConfiguration'),
    },
  });
  const suppressions = ofKind('Suppression').filter(isOurs) as Suppression[];
  const least = SEVERITIES.indexOf(options.minSeverity);
  const isShown = (finding: PlacedFinding, { ignored }: Source): boolean =>
    (options.checks ? options.checks.has(finding.check_name) : SEVERITIES.indexOf(finding.severity) <= least) &&
    !ignored.has(finding.check_name) &&
    !options.known.has(keyOf(finding)) &&
    !findSuppression(subjectOfFinding(finding), suppressions, options.now, {
      operatorNamespace: options.operatorNamespace,
      tenantsHideHigh: false,
    });
  return judged(manifests).flatMap(({ object, source }) =>
    judgeObject(object, { minor: options.minor, around: around(object.metadata.namespace ?? '') })
      .map((found) => placed(found, object, source))
      .filter((finding) => isShown(finding, source)),
  );
}

/** A Suppression without a match hides nothing. */
function isOurs({ apiVersion = '', ...object }: KubeObject): boolean {
  const { spec } = object as { spec?: { match?: unknown } };
  return String(apiVersion).startsWith(`${GROUP}/`) && typeof spec?.match === 'object' && spec.match !== null;
}

/** Leaves out mirrors, and pods whose workload is also there. */
function judged(manifests: readonly ManifestObject[]): ManifestObject[] {
  const there = new Set(manifests.map(({ object: { kind, metadata } }) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`));
  return manifests.filter(({ object }) => {
    const { ownerReferences, namespace = '' } = object.metadata;
    const owner = Array.isArray(ownerReferences) ? ownerReferences.find((one) => one?.controller) : undefined;
    if (owner && WORKLOAD_KINDS.includes(owner.kind) && there.has(`${owner.kind} ${namespace} ${owner.name}`)) return false;
    return object.kind !== 'Pod' || !owner || !isMirrorPod(object as Pod);
  });
}

function placed(found: Found, { kind = '', metadata }: KubeObject, source: Source): PlacedFinding {
  const [path = ''] = found.details.field_paths;
  return {
    resource_type: kind,
    resource_name: String(metadata.name ?? metadata.generateName ?? '') || 'without a name',
    namespace: String(metadata.namespace ?? '') || (CLUSTER_SCOPED.test(kind) ? CLUSTER_WIDE : 'default'),
    ...found,
    file: source.file,
    line: source.firstLine + (source.lines.length > 0 ? lineOf(source.lines, path) : 0),
  };
}

const CLUSTER_SCOPED = /^(?:Cluster|Namespace$|PersistentVolume$|StorageClass$|PriorityClass$|CustomResourceDefinition$|IngressClass$)/;

/** Identifies a finding across scans, independent of its file. */
export function keyOf({ resource_type, namespace, resource_name, check_name, details }: Omit<PlacedFinding, 'file' | 'line'>): string {
  return [resource_type, namespace, resource_name, check_name, details.container ?? ''].join('\n');
}

/** The number of findings by severity. */
export function summaryOf(findings: readonly PlacedFinding[]): Record<Severity, number> {
  const counts = SEVERITIES.map((severity) => [severity, findings.filter((one) => one.severity === severity).length]);
  return Object.fromEntries(counts) as Record<Severity, number>;
}

/** A scan as JSON, which `--baseline` reads again. */
export function asJson(findings: readonly PlacedFinding[]): string {
  return `${JSON.stringify({ version: packageJson.version, findings, summary: summaryOf(findings) }, null, 2)}\n`;
}
