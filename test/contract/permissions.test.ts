import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '../../src/contract/auth.ts';
import { isWithin, PERMISSIONS, roleFor } from '../../src/contract/permissions.ts';

test('each role may do what those before it may, and more', () => {
  for (const [index, role] of ROLES.entries()) {
    const before = ROLES.slice(0, index);
    for (const weaker of before) {
      assert.ok(isWithin(weaker, role) && !isWithin(role, weaker), `${weaker} and ${role}`);
      assert.ok(PERMISSIONS[weaker].size < PERMISSIONS[role].size);
    }
    assert.ok(isWithin(role, role));
  }
});

const ADDED = {
  read: [
    ...['account.use', 'advice.read', 'agents.read', 'config.read', 'events.read', 'failures.read', 'findings.read', 'graphs.read'],
    ...['logs.read', 'mirrors.read'],
  ],
  write: ['advice.change', 'failures.change', 'findings.change', 'mirrors.run', 'scans.request', 'suppressions.manage'],
  admin: ['audit.read', 'models.manage', 'notifications.manage', 'settings.manage', 'users.manage'],
};
test('the permissions of each role', () => {
  assert.equal([...PERMISSIONS.read].toSorted(), ADDED.read.toSorted());
  assert.equal([...PERMISSIONS.write].toSorted(), [...ADDED.read, ...ADDED.write].toSorted());
  assert.equal([...PERMISSIONS.admin].toSorted(), [...ADDED.read, ...ADDED.write, ...ADDED.admin].toSorted());
});

for (const [permission, role] of [
  ['failures.read', 'read'],
  ['account.use', 'read'],
  ['failures.change', 'write'],
  ['mirrors.run', 'write'],
  ['users.manage', 'admin'],
  ['audit.read', 'admin'],
] as const)
  test(`${permission} takes the ${role} role`, () => assert.is(roleFor(permission), role));

test.run();
