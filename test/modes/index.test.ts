import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MODES } from '../../src/modes/index.ts';

for (const [name, mode] of Object.entries(MODES)) {
  test(`${name} is described, and checked as what it is`, () => {
    assert.match(mode.summary, /^[^\n]{10,}$/);
    assert.match(mode.help, new RegExp(`^\\nUsage: podmend ${name}`));
    // Each service checks its configuration by its own rules.
    if ('service' in mode) assert.is(mode.service, name);
  });
}

const SERVICES = ['operator', 'agent', 'scanner', 'demo', 'sandbox', 'migrate'];
const COMMANDS = ['scan', 'diagnose', 'why', 'access', 'completion', 'user'];

test('each mode is a service or a command, and loads as what it is called', async () => {
  const named = (key: 'service' | 'command') => Object.keys(MODES).filter((name) => key in (MODES[name] ?? {}));
  assert.equal([named('service').sort(), named('command').sort()], [SERVICES.sort(), COMMANDS.sort()]);
  for (const mode of Object.values(MODES)) if ('command' in mode) assert.is(mode.command, true);
  for (const [name, mode] of Object.entries(MODES)) assert.is((await mode.load()).name, `run${name[0]?.toUpperCase()}${name.slice(1)}`);
});

test.run();
