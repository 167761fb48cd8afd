import type { NotificationProviderSpec } from '../../../src/crd/notificationprovider.ts';
import { type HeldThread, planProvider } from '../../../src/notifications/policy/plan.ts';
import type { IncidentView } from '../../../src/notifications/policy/view.ts';

export const T0 = new Date('2026-03-02T10:00:00Z');

/** Plans the messages of one provider over time. Keeps in memory what the outbox would store, and sends nothing. */
export class Teller {
  readonly #spec: Pick<NotificationProviderSpec, 'filter' | 'grouping' | 'quietHours'>;
  readonly #canUpdate: boolean;
  readonly #incidents = new Map<number, IncidentView>();
  #changed = new Set<number>();
  #held: (HeldThread & { dueAt: Date | null })[] = [];
  readonly #endedAt = new Map<string, Date>();
  readonly #openings: { groupKey: string; at: Date }[] = [];
  #nextId = 1;
  /** The events sent in each thread, by the id of the thread. */
  readonly threads = new Map<number, string[]>();

  constructor(spec: Pick<NotificationProviderSpec, 'filter' | 'grouping' | 'quietHours'>, canUpdate: boolean) {
    this.#spec = spec;
    this.#canUpdate = canUpdate;
  }

  set(incident: IncidentView): void {
    this.#incidents.set(incident.id, incident);
    this.#changed.add(incident.id);
  }

  /** Deletes the incident. */
  forget(id: number): void {
    this.#incidents.delete(id);
    this.#changed.add(id);
  }

  /** The events sent at this minute after T0. */
  tell(minute: number): string[] {
    const now = new Date(T0.getTime() + minute * 60_000);
    const planned = planProvider({
      spec: this.#spec,
      canUpdate: this.#canUpdate,
      held: this.#held,
      incidents: this.#incidents,
      changed: [...this.#changed],
      openings: this.#openings,
      endedAt: this.#endedAt,
      now,
    });
    this.#changed = new Set();
    const sent: string[] = [];
    const named = planned.map((one) => ({ ...one, id: one.id ?? this.#nextId++ }));
    for (const { id, groupKey, thread, send } of named) {
      if (!send) continue;
      sent.push(send);
      this.threads.set(id, [...(this.threads.get(id) ?? []), send]);
      if (thread.openedAt?.getTime() === now.getTime()) this.#openings.push({ groupKey, at: now });
      if (send === 'resolved') this.#endedAt.set(groupKey, now);
    }
    this.#held = named.filter(({ thread, isGone }) => !isGone && thread.status !== 'resolved');
    return sent;
  }
}
