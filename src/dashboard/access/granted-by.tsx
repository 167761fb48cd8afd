import { Link } from '@tanstack/react-router';
import type { Through } from '../../contract/access.ts';
import { addressOfObject } from '../components/graph-address.ts';
import classes from './access.module.css';
import { nameOf, type Subject } from './path-text.ts';

/** The objects that grant a permission: each binding and its role, plus the subject if it is not `who`. */
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

/** A link to the role's graph. */
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

/** Rights that Podmend lacks, so that the answer may be incomplete. */
export function MissingRights({ rights }: { rights: readonly string[] | undefined }) {
  if (!rights || rights.length === 0) return null;
  return (
    <p className={classes['missing']} role="status">
      The answer may lack something: Podmend may not {rights.join(', ')}.
    </p>
  );
}
