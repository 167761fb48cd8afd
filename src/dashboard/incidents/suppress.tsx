import type { ShownFailure } from '../../contract/failure.ts';
import type { Incident } from '../../contract/incident.ts';
import type { SuppressionPreview, SuppressionRecord } from '../../contract/suppression.ts';
import { Dialog } from '../components/dialog.tsx';
import { countedFailures, SuppressForm } from '../components/suppress-form.tsx';
import { suppressionOf, type Written } from '../components/suppress.ts';
import { ask } from '../live/request.ts';
import { forEach, type Outcome } from './change.ts';

interface SuppressProps {
  incidents: readonly Incident[];
  onClose(): void;
  onDone(outcome: Outcome): void;
}

/** Hides incidents for some time, each by a Suppression. */
export function Suppress({ incidents, onClose, onDone }: SuppressProps) {
  return (
    <Dialog title={incidents.length === 1 ? 'Suppress an incident' : `Suppress ${incidents.length} incidents`} onClose={onClose}>
      <SuppressForm
        size="sm"
        draft={`suppress incidents ${incidents.map(({ id }) => id).join()}`}
        count={async (written, signal) => {
          let hidden = 0;
          const { error } = await forEach(incidents, async (one) => {
            const body = await bodyOf(one, written);
            const preview = await ask<SuppressionPreview>('/api/suppressions/preview', { method: 'POST', body, signal });
            // Only now, because another one may have been counted meanwhile.
            hidden += preview.newly_hidden;
          });
          if (error) throw error;
          return hidden;
        }}
        counted={countedFailures}
        save={(written) => suppressAll(incidents, written)}
        onDone={onDone}
        close={onClose}
      />
    </Dialog>
  );
}

async function suppressAll(incidents: readonly Incident[], written: Written): Promise<Outcome> {
  const names: string[] = [];
  const outcome = await forEach(incidents, async (one) => {
    const body = await bodyOf(one, written);
    names.push((await ask<SuppressionRecord>('/api/suppressions', { method: 'POST', body })).name);
  });
  if (names.length === 0 && outcome.error) throw outcome.error;
  const undo = async (): Promise<void> => {
    const { error } = await forEach(names, async (name) => ask(`/api/suppressions/${encodeURIComponent(name)}`, { method: 'DELETE' }));
    if (error) throw error;
  };
  return { ...outcome, undo };
}

/** The list lacks the labels that identify these pods. */
async function bodyOf({ failure_id, workload }: Incident, written: Written) {
  const failure = await ask<ShownFailure>(`/api/pods/failed/${failure_id}`);
  return suppressionOf({ ...failure, workload }, written, new Date());
}
