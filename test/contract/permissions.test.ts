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
