import { useQuery } from '@tanstack/react-query';
import type { ShownFailure } from '../../contract/failure.ts';
import type { IncidentMessage } from '../../contract/notification.ts';
import { Ago } from '../components/ago.tsx';
import { DeliveryState, SendAgain, WhyNot } from '../components/delivery.tsx';
import { eventName } from '../components/delivery-words.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { ask } from '../live/request.ts';
import classes from './incident.module.css';

/** The socket has no messages about deliveries. */
const AGAIN_MS = 10_000;
const SHOWN = 6;

/** Messages sent about the incident: to whom, what and when. Hidden if there are none. */
export function Told({ failure: { id } }: { failure: ShownFailure }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', 'of', id],
    queryFn: ({ signal }) => ask<IncidentMessage[]>(`/api/pods/failed/${id}/notifications`, { signal }),
    refetchInterval: AGAIN_MS,
    staleTime: 0,
  });
  if (!error && !data?.length) return null;
  const messages = data ?? [];
  return (
    <section aria-label="Who was told">
      <h3>Who was told</h3>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      <ul className={classes['plain-list']}>
        {messages.slice(0, SHOWN).map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ul>
      {messages.length > SHOWN && (
        <details>
          <summary className={classes['small']}>{messages.length - SHOWN} earlier messages</summary>
          <ul className={classes['plain-list']}>
            {messages.slice(SHOWN).map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Message({ message }: { message: IncidentMessage }) {
  return (
    <li className={classes['told']}>
      <DeliveryState delivery={message} /> <bdi>{message.provider}</bdi>
      <span className={classes['small']}>
        {eventName(message.event)} · <Ago at={message.ended_at ?? message.created_at} />
      </span>
      <span className={classes['small']}>
        <WhyNot delivery={message} />
      </span>
      <SendAgain delivery={message} />
    </li>
  );
}
