import type { Through } from '../../contract/access.ts';
import classes from './access.module.css';
import { nameOf, type Subject } from './tell.ts';

/** The objects that grant something: each binding with its role, and whom it names where that is somebody else than `who`. */
export function GrantedBy({
  through,
  who,
  verb = 'granted by',
}: {
  through: readonly Through[];
  who?: Subject | undefined;
  verb?: string;
}) {
  if (through.length === 0) return null;
  return (
    <ul className={classes['through']} aria-label={verb}>
      {through.map(({ binding, role, subject }) => (
        <li key={`${nameOf(binding)} ${nameOf(subject)}`}>
          <span className={classes['quiet']}>{verb}</span> <bdi className={classes['object']}>{nameOf(binding)}</bdi>{' '}
          <span className={classes['quiet']}>to</span> <bdi className={classes['object']}>{nameOf(role)}</bdi>
          {subject.kind === 'Group' && (!who || nameOf(who) !== nameOf(subject)) && (
            <span className={classes['quiet']}>
              {' '}
              for <bdi>{nameOf(subject)}</bdi>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What Podmend may not read, so that an answer may lack something. */
export function MissingRights({ rights }: { rights: readonly string[] | undefined }) {
  if (!rights || rights.length === 0) return null;
  return (
    <p className={classes['missing']} role="status">
      The answer may lack something: Podmend may not {rights.join(', ')}.
    </p>
  );
}
