/** What may be hidden: a failure (with `failure_reason`) or a finding (with `check` and `severity`). Absent fields match nothing. */
export interface Subject {
  namespace: string;
  pod_name?: string | null;
  labels?: Record<string, string> | null;
  failure_reason?: string | null;
  check?: string | null;
  /** The container that fails, or that the finding is about. */
  images?: readonly string[] | null;
  severity?: string | null;
}

/** The fields of a finding that decide whether it is suppressed. */
export interface FindingSubject {
  resource_type: string;
  resource_name: string;
  namespace: string;
  check_name: string;
  severity: string;
  /** Free form. `images` and `labels` are used if they are a list of texts and a map of texts. */
  details: Record<string, unknown>;
}

/** A finding as Suppressions see it. */
export function subjectOfFinding({ resource_type, resource_name, namespace, check_name, severity, details }: FindingSubject): Subject {
  const pod_name = resource_type === 'Pod' ? resource_name : null;
  return { namespace, pod_name, check: check_name, severity, images: textsOf(details['images']), labels: labelsOf(details['labels']) };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function labelsOf(value: unknown): Record<string, string> {
  const labels = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(labels.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
