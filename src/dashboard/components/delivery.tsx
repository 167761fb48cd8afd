import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { IncidentMessage } from '../../contract/notification.ts';
import { ask } from '../live/request.ts';
import { Ago, useNow } from './ago.tsx';
import { reasonText, stateOf } from './delivery-words.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Guarded } from './guarded.tsx';
import { Tag } from './tag.tsx';

/** The state of a message, as a word. */
export function DeliveryState({ delivery }: { delivery: Pick<IncidentMessage, 'state' | 'attempts'> }) {
  const { name, tone } = stateOf(delivery);
  return (
    <span title={delivery.state === 'accepted' ? 'The service accepted it. It may still drop it.' : undefined}>
      <Tag tone={tone}>{name}</Tag>
    </span>
  );
}

/** Why a message did not arrive: the code, its meaning, and the answer of the service. */
export function WhyNot({ delivery: { reason, detail, state, next_attempt_at: next } }: { delivery: IncidentMessage }) {
  if (reason === null) return null;
  return (
    <>
      <b>{reason}</b>: {reasonText(reason)}.{detail !== null && detail !== '' && <bdi> {detail}</bdi>}
      {state === 'pending' && next !== null && (
        <>
          {' '}
          <NextTry at={next} />
        </>
      )}
    </>
  );
}

/** A retry within a minute is shown without a number, which would be outdated at once. */
function NextTry({ at }: { at: string }) {
  const now = useNow(5_000);
  if (Date.parse(at) - now.getTime() < 60_000) return <>The next try is within a minute.</>;
  return (
    <>
      The next try is <Ago at={at} />.
    </>
  );
}

/** A button that sends a failed message again. Hidden if that is impossible. */
export function SendAgain({ delivery: { id, provider, state, resendable } }: { delivery: IncidentMessage }) {
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: () =>
      ask<undefined>(`/api/admin/notifications/${encodeURIComponent(provider)}/deliveries/${id}/resend`, { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  if (state !== 'dead') return null;
  if (!resendable) return <span title="Whoever gets it now would never hear of the end.">Its incident is over.</span>;
  return (
    <>
      <Guarded needs="admin">
        <Button variant="default" size="compact-sm" loading={again.isPending} onClick={() => again.mutate()}>
          Send again
        </Button>
      </Guarded>
      <ErrorNotice error={again.error} />
    </>
  );
}
