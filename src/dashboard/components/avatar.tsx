import classes from './assignee.module.css';
import { usePerson } from './current-user.ts';
import { initialsOf } from './initials.ts';

/** The initials of an assignee, with the full name as the label. Nothing when there is no assignee. */
export function Avatar({ name }: { name: string | null }) {
  const me = usePerson().username;
  if (name === null) return null;
  const label = name === me ? `Assigned to you, ${name}` : `Assigned to ${name}`;
  // CSS draws the initials, so they are not part of the text of a button around them.
  return (
    <span
      className={classes['avatar']}
      data-initials={initialsOf(name)}
      data-mine={name === me || undefined}
      role="img"
      aria-label={label}
      title={label}
    />
  );
}
