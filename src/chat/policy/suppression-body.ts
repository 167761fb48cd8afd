import { NOT_IN_LINE } from '../../contract/fields.ts';
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

/** People choose their names in a chat, and a Suppression takes not every character. */
function written(text: string, most: number): string {
  return text.replaceAll(new RegExp(NOT_IN_LINE, 'gu'), '').slice(0, most).toWellFormed();
}

/** The Suppression for an incident. It hides the workload's present and future pods that fail for the incident's reasons. */
export function ignoreBody(incident: IncidentView, { days, person, chat, reasons, now }: Ignoring): SuppressionBody {
  const [kind = '', name = ''] = incident.owner.split('/');
  const seconds = days * 86_400;
  return {
    reason: written(`Ignored for ${days} d from ${chat} by ${person.name}: ${incident.reason} of ${incident.owner}`, 1_024),
    owner: written(`${person.name} (${chat} ${person.id})`, 253),
    ttl_seconds: seconds,
    match: {
      ...workloadMatch({ ...incident, kind, name }, { seconds, now }),
      failure_reasons: [...new Set([incident.reason, ...reasons])].sort().slice(0, 64),
    },
  };
}
