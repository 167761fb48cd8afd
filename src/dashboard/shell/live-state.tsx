import { createContext, use } from 'react';
import type { Live } from '../live/use-live.ts';
import { exactly } from '../components/times.ts';
import classes from './frame.module.css';

/** The state of the live connection. */
export const LiveContext = createContext<Live>({ connection: 'connecting', asOf: null });

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

const SAID: Record<Live['connection'], [text: string, explained: string]> = {
  connecting: ['Connecting', 'The live connection is opening'],
  live: ['Live', 'Changes appear by themselves'],
  lost: ['Reconnecting', 'The live connection is lost. Podmend tries again by itself.'],
  away: ['Server away', 'Podmend does not answer. It is asked again every two seconds.'],
  refused: ['Ended', 'The session has ended'],
};

/** Whether changes arrive; if not, the time of the data. */
export function LiveState() {
  const { connection, asOf } = use(LiveContext);
  const [text, explained] = SAID[connection];
  const age = connection !== 'live' && asOf && `data as of ${TIME.format(asOf)}`;
  return (
    <span
      className={classes['live']}
      data-connection={connection}
      role="status"
      title={age ? `${explained} Data as of ${exactly(asOf)}.` : explained}
    >
      <span className={classes['live-dot']} aria-hidden="true" />
      <span>
        {text}
        {age && <span className={classes['live-age']}>, {age}</span>}
      </span>
    </span>
  );
}
