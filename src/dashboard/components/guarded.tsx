import { cloneElement, type ReactElement } from 'react';
import type { Role } from '../../contract/auth.ts';
import { usePerson } from './current-user.ts';

/** The roles that include each role. The compiler checks it against the contract, of which the dashboard loads only types. */
const WHO_MAY: Record<Role, Role[]> = { read: ['read', 'write', 'admin'], write: ['write', 'admin'], admin: ['admin'] };

interface GuardedProps {
  /** The lowest role that may use the control. */
  needs: 'write' | 'admin';
  /** A control with the properties `disabled` and `title`. */
  children: ReactElement<{ disabled?: boolean | undefined; title?: string | undefined }>;
}

/**
 * A control that changes something. People without the right see it disabled, with the reason. The server decides; this only shows its
 * decision in advance.
 */
export function Guarded({ needs, children }: GuardedProps) {
  const reason = useReason(needs);
  return reason === undefined ? children : cloneElement(children, { disabled: true, title: reason });
}

/** Why this person lacks the right of that role; undefined if they have it. */
export function useReason(needs: 'write' | 'admin'): string | undefined {
  const { role } = usePerson();
  return WHO_MAY[needs].includes(role) ? undefined : `Your role is ${role}. This can be done by: ${WHO_MAY[needs].join(', ')}.`;
}
