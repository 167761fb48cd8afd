import { Link } from '@tanstack/react-router';
import type { Through } from '../../contract/access.ts';
import { addressOfObject } from '../components/graph-address.ts';
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
          <span className={classes['quiet']}>to</span> <Role role={role} />
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

/** Leads to the role with everything that refers to it. */
function Role({ role }: { role: Through['role'] }) {
  const address = addressOfObject(role);
  const name = <bdi className={classes['object']}>{nameOf(role)}</bdi>;
  if (!address) return name;
  return (
    <Link to="/graphs" search={address as never} className={classes['subject']} title="Draw it">
      {name}
    </Link>
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
