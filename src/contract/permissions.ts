import { ROLES, type Role } from './auth.ts';

/** The permissions of each role, in addition to those of the roles before it. */
const ADDED = {
  read: [
    'account.use',
    'advice.read',
    'agents.read',
    'config.read',
    'events.read',
    'failures.read',
    'findings.read',
    'graphs.read',
    'logs.read',
    'mirrors.read',
  ],
  write: ['advice.change', 'failures.change', 'findings.change', 'mirrors.run', 'scans.request', 'suppressions.manage'],
  admin: ['audit.read', 'models.manage', 'notifications.manage', 'settings.manage', 'users.manage'],
} as const satisfies Record<Role, readonly string[]>;

/** What a route asks of a person. */
export type Permission = (typeof ADDED)[Role][number];

/** The permissions of each role. */
export const PERMISSIONS: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  read: new Set(ADDED.read),
  write: new Set([...ADDED.read, ...ADDED.write]),
  admin: new Set([...ADDED.read, ...ADDED.write, ...ADDED.admin]),
};

/** The role with the fewest permissions that has this one. */
export function roleFor(permission: Permission): Role {
  return ROLES.find((role) => PERMISSIONS[role].has(permission)) ?? 'admin';
}

/** Whether `other` has all permissions of the role. */
export function isWithin(role: Role, other: Role): boolean {
  return [...PERMISSIONS[role]].every((permission) => PERMISSIONS[other].has(permission));
}
