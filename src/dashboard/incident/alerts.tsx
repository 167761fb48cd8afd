import type { ShownFailure } from '../../contract/failure.ts';
import { Ago } from '../components/ago.tsx';
import { Tag } from '../components/tag.tsx';
import classes from './incident.module.css';

const SHOWN = 8;

/** Alertmanager's alerts about this incident, newest first. Alerts say that something is wrong; the cause beside them says why. */
export function Alerts({ failure: { alerts } }: { failure: ShownFailure }) {
  if (alerts.length === 0) return null;
  return (
    <section aria-label="Alerts">
      <h3>{alerts.length === 1 ? 'An alert' : `${alerts.length} alerts`}</h3>
      <ul className={classes['plain-list']}>
        {alerts.slice(0, SHOWN).map(({ id, name, status, summary, source_url: source, starts_at: begun, ended_at: ended }) => (
          <li key={id}>
            <Tag tone={status === 'firing' ? 'bad' : 'plain'}>{status}</Tag>{' '}
            {isWeb(source) ? (
              <a href={source} rel="noreferrer noopener" target="_blank">
                <bdi>{name}</bdi>
              </a>
            ) : (
              <bdi>{name}</bdi>
            )}{' '}
            <Ago at={ended ?? begun} />
            <span className={classes['small']}>
              <bdi>{summary}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {alerts.length > SHOWN && <p className={classes['small']}>and {alerts.length - SHOWN} more</p>}
    </section>
  );
}

/** The sender chooses the address, so only web addresses become links. */
function isWeb(address: string | null): address is string {
  return address !== null && /^https?:\/\//i.test(address);
}
