import type { FailureRecord } from '../../contract/failure.ts';

/** Records of one incident: pods of a workload that fail in the same way. */
export interface Incident {
  id: number;
  /** Name of the workload, or of the pod that has none. */
  name: string;
  /** Newest first; never empty. */
  records: [FailureRecord, ...FailureRecord[]];
}

/** Groups a list by incident, in the order of the newest record of each. */
export function incidentsOf(records: FailureRecord[]): Incident[] {
  const found = new Map<number, Incident>();
  for (const record of records) {
    const known = found.get(record.incident_id);
    if (known) known.records.push(record);
    else
      found.set(record.incident_id, {
        id: record.incident_id,
        name: record.workload?.name ?? record.pod_name,
        records: [record],
      });
  }
  return [...found.values()];
}
