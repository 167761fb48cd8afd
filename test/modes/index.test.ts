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

test.run();
