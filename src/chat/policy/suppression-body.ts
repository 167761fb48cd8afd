import type { SuppressionBody } from '../../contract/suppression.ts';
import { workloadMatch } from '../../contract/workload-match.ts';
import type { IncidentView } from '../../notifications/policy/view.ts';
import type { ChatPerson } from './role.ts';

export interface Ignoring {
  days: number;
  person: ChatPerson;
  chat: string;
  /** Of all its open records. */
  reasons: string[];
  now: Date;
}

/** The Suppression for an incident. It hides the workload's present and future pods that fail for the incident's reasons. */
export function ignoreBody(incident: IncidentView, { days, person, chat, reasons, now }: Ignoring): SuppressionBody {
  const [kind = '', name = ''] = incident.owner.split('/');
  const seconds = days * 86_400;
  return {
    reason: `Ignored for ${days} d from ${chat} by ${person.name}: ${incident.reason} of ${incident.owner}`.slice(0, 1_024),
    owner: `${person.name} (${chat} ${person.id})`.slice(0, 253),
    ttl_seconds: seconds,
    match: {
      ...workloadMatch({ ...incident, kind, name }, { seconds, now }),
      failure_reasons: [...new Set([incident.reason, ...reasons])].sort().slice(0, 64),
    },
  };
}
