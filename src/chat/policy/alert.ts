import type { Alert, ReceivedAlert } from '../../contract/alert.ts';
import { maskText } from '../../redact/text.ts';

/** The content of an alert, and the object that it is about. */
export interface AlertFacts {
  fingerprint: string;
  starts_at: Date;
  status: 'firing' | 'resolved';
  ended_at: Date | null;
  name: string;
  severity: string | null;
  summary: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  namespace: string | null;
  pod: string | null;
  /** `Deployment/web`. */
  owner: string | null;
  node: string | null;
  source_url: string | null;
}

/** The same as it is stored. */
export interface StoredAlert extends AlertFacts {
  id: number;
  incident_id: number | null;
  last_seen: Date;
}

/** Longer alerts are cut to these bounds. */
const MAX = { pairs: 64, key: 256, label: 1_024, annotation: 4_096, summary: 500, url: 2_048 };

/** The kinds of workloads, by the labels of kube-state-metrics. `job` is not among them: it names what Prometheus scrapes. */
const WORKLOADS: [label: string, kind: string][] = [
  ['deployment', 'Deployment'],
  ['statefulset', 'StatefulSet'],
  ['daemonset', 'DaemonSet'],
  ['cronjob', 'CronJob'],
  ['job_name', 'Job'],
  ['replicaset', 'ReplicaSet'],
];

/** What alerts call this cluster, and which namespaces are hidden. */
export interface Here {
  /** `CLUSTER_NAME`. The default value `default` is ignored, because no alert uses it. */
  cluster: string;
  hiddenNamespaces: readonly string[];
}

const NAMES_NAMESPACE = /namespace|(^|_)ns$/i;

/** Whether an alert is dropped: Podmend sent it itself, or it is about a hidden namespace. */
export function isIgnored({ labels }: Pick<ReceivedAlert, 'labels'>, { hiddenNamespaces }: Here): boolean {
  if (labels['alertname'] === 'PodmendIncident' && labels['podmend_key'] !== undefined) return true;
  const about = labelOf(labels, 'namespace');
  // Exporters name the namespace of what they watch by labels of their own, as `kubernetes_namespace` or `kube_ns`. The label `namespace` is only where
  // the exporter runs if there is an `exported_namespace`.
  const named = Object.entries(labels).filter(([key]) => key !== 'namespace' && NAMES_NAMESPACE.test(key));
  return [about, ...named.map(([, value]) => value)].some((namespace) => namespace !== null && hiddenNamespaces.includes(namespace));
}

/**
 * An alert as it is stored, masked and cut. An alert of another cluster has no subject here. Undefined when its start time cannot be read.
 */
export function readAlert(alert: ReceivedAlert, { cluster, hiddenNamespaces }: Here): AlertFacts | undefined {
  const starts = instantOf(alert.startsAt);
  if (!starts) return undefined;
  // Where an exporter runs that is hidden, while what it watches is not.
  const shown = Object.entries(alert.labels).filter(([key, value]) => key !== 'namespace' || !hiddenNamespaces.includes(value));
  const labels = pairs(Object.fromEntries(shown), MAX.label);
  const annotations = pairs(alert.annotations ?? {}, MAX.annotation);
  const said = annotations['summary'] || annotations['description'] || annotations['message'] || '';
  return {
    fingerprint: alert.fingerprint,
    starts_at: starts,
    status: alert.status,
    ended_at: alert.status === 'resolved' ? endOf(alert.endsAt) : null,
    name: labels['alertname'] || 'Alert',
    severity: labels['severity'] || null,
    summary: cut(said.replaceAll(/\s+/g, ' ').trim(), MAX.summary),
    labels,
    annotations,
    source_url: webAddress(alert.generatorURL),
    ...(isOfCluster(labels, cluster) ? subjectOf(labels) : NOTHING),
  };
}

const NOTHING = { namespace: null, pod: null, owner: null, node: null };

function isOfCluster({ cluster }: Record<string, string>, ours: string): boolean {
  return cluster === undefined || ours === 'default' || cluster === ours;
}

/** The object that an alert is about. Prometheus renames labels that collide with its own, so `exported_pod` is the failing pod. */
function subjectOf(labels: Record<string, string>): Pick<AlertFacts, 'namespace' | 'pod' | 'owner' | 'node'> {
  const namespace = labelOf(labels, 'namespace');
  const workload = WORKLOADS.flatMap(([label, kind]) => {
    const name = labelOf(labels, label);
    return name === null ? [] : [`${kind}/${name}`];
  })[0];
  // An alert about a workload often carries the pod of kube-state-metrics, which produced the metric.
  const pod = workload !== undefined && labels['exported_pod'] === undefined ? null : labelOf(labels, 'pod');
  return { namespace, pod, owner: workload ?? null, node: labelOf(labels, 'node') };
}

function labelOf(labels: Record<string, string>, name: string): string | null {
  return labels[`exported_${name}`] || labels[name] || null;
}

function pairs(given: Record<string, string>, max: number): Record<string, string> {
  const entries = Object.entries(given).slice(0, MAX.pairs);
  return Object.fromEntries(entries.map(([key, value]) => [cut(key, MAX.key), cut(maskText(value), max)]));
}

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text);

/** Reads a time. Undefined when the text is not a time, or when its year is not between 1 and 9999. */
function instantOf(text: string | undefined): Date | undefined {
  const instant = new Date(text ?? '');
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant : undefined;
}

function endOf(text: string | undefined): Date | null {
  const end = instantOf(text);
  return end && end.getUTCFullYear() >= 2000 ? end : null;
}

function webAddress(text: string | undefined): string | null {
  const url = text !== undefined && text.length <= MAX.url ? URL.parse(text) : null;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? maskText(url.href) : null;
}

/** A stored alert as the API shows it. */
export function shownAlert(row: StoredAlert): Alert {
  const { id, name, status, severity, summary, labels, annotations, incident_id, source_url } = row;
  return {
    ...{ id, name, status, severity, summary, labels, annotations, incident_id, source_url },
    starts_at: row.starts_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    last_seen: row.last_seen.toISOString(),
  };
}
