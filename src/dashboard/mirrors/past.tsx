import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeployMirror, MirrorPreview, MirrorRecord, PastMirror } from '../../contract/mirror.ts';
import { Ago } from '../components/ago.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Guarded } from '../components/guarded.tsx';
import { KeptLog } from '../components/kept-log.tsx';
import { Line } from '../components/prose.tsx';
import { Row } from '../components/rows.tsx';
import { ORIGINS, valueOf } from '../components/trial-text.ts';
import { Verdict } from '../components/verdict.tsx';
import { ask, Refused } from '../live/request.ts';
import { useTaken } from '../live/add-mirror.ts';
import { effectOf, lengthOf } from './changes.ts';
import classes from './mirrors.module.css';
import { Source } from './running.tsx';

/** One ended mirror: what it tried and proved, and a button to try it again. */
export function PastRow({ mirror, areMirrorsOn }: { mirror: PastMirror; areMirrorsOn: boolean }) {
  const again = useRunAgain(mirror);
  const took = mirror.ended_at === null ? null : (Date.parse(mirror.ended_at) - Date.parse(mirror.started_at)) / 1000;
  const mustAcknowledge = again.error?.message.includes('acknowledge_side_effects') ?? false;
  return (
    <Row
      lead={mirror.verdict ? <Verdict verdict={mirror.verdict} /> : <Text size="sm">Not judged</Text>}
      title={<Source id={mirror.pod_id} name={mirror.source_pod_name} />}
      meta={
        <>
          <span>{mirror.namespace}</span>
          <span>{outcomeOf(mirror)}</span>
          <Ago at={mirror.started_at} />
          {took !== null && <span>lived {lengthOf(took)}</span>}
          <span>{ORIGINS[mirror.origin] ?? mirror.origin}</span>
        </>
      }
      end={
        <Guarded needs="write">
          <Button
            variant="default"
            size="compact-sm"
            loading={again.isPending}
            disabled={!mirror.is_open || !areMirrorsOn}
            title={whyNot(mirror, areMirrorsOn)}
            onClick={() => again.mutate(false)}
          >
            Run again
          </Button>
        </Guarded>
      }
    >
      <details>
        <summary>{summaryOf(mirror)}</summary>
        <ul className={classes['changes']}>
          {mirror.changes.map(({ path, from, to, why }) => (
            <li key={path}>
              <span className="mono">{path}</span>: <del>{valueOf(from)}</del> → <ins>{valueOf(to)}</ins>
              {why && (
                <Text c="dimmed" size="sm">
                  <Line text={why} />
                </Text>
              )}
            </li>
          ))}
          {mirror.revisions.map(({ time, from, verdict, message }) => (
            <li key={time}>
              Revised from {from} to {verdict}: {message}
            </li>
          ))}
          {mirror.evidence?.weaknesses.map((sentence) => (
            <li key={sentence}>It cannot know: {sentence}</li>
          ))}
        </ul>
      </details>
      <KeptLog namespace={mirror.namespace} pod={mirror.log_pod_name} />
      {again.isSuccess && (
        <Text size="sm" role="status">
          It runs again, at the top of this page.
        </Text>
      )}
      <ErrorNotice error={again.error} />
      {mustAcknowledge && (
        <Button mt="xs" size="compact-sm" variant="default" loading={again.isPending} onClick={() => again.mutate(true)}>
          Its work may run a second time: run it
        </Button>
      )}
    </Row>
  );
}

/** Deploys the correction with the same effect, if it is still offered. */
function useRunAgain({ pod_id: id, mirror_id: mirrorId, changes }: PastMirror) {
  const client = useQueryClient();
  const taken = useTaken();
  return useMutation({
    mutationFn: async (isAcknowledged: boolean) => {
      const { candidates } = await ask<MirrorPreview>(`/api/mirror/preview/${id}`, { method: 'POST' });
      const candidate = candidates.findIndex((one) => one.written_for === mirrorId || effectOf(one.changes) === effectOf(changes));
      if (candidate < 0)
        throw new Refused(409, 'This correction is not offered any more: the workload has changed. Open its incident to see what is.');
      const body: DeployMirror = { candidate, ...(isAcknowledged && { acknowledge_side_effects: true }) };
      return ask<MirrorRecord>(`/api/mirror/deploy/${id}`, { method: 'POST', body });
    },
    onSuccess: (record) => {
      taken(record);
      void client.invalidateQueries({ queryKey: ['mirror-limits'] });
    },
  });
}

function whyNot({ is_open: isOpen }: PastMirror, areMirrorsOn: boolean): string | undefined {
  if (!areMirrorsOn) return 'Mirrors are switched off in this installation.';
  return isOpen ? undefined : 'The pod does not fail any more, so there is nothing to try.';
}

function outcomeOf({ reason_before: before, reason_after: after, failure_reason: now }: PastMirror): string {
  if (after && before && after !== before) return `${before} became ${after}`;
  return after ?? before ?? now;
}

function summaryOf({ changes, evidence }: PastMirror): string {
  const [first] = changes;
  const what = first ? `${first.path}${changes.length > 1 ? ` and ${changes.length - 1} more` : ''}` : 'No change was recorded';
  return evidence ? `${what} · ${evidence.strength === 'Weak' ? 'weak evidence' : 'strong evidence'}` : what;
}
