import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Case } from '../../../src/diagnosis/case.ts';
import { logs } from '../../../src/diagnosis/rendering/commands.ts';

const commands = suite('commands to copy');

const subject = (status: object, more: object = {}): Case =>
  ({ resource_kind: 'Pod', pod_name: 'web', namespace: 'shop', container: 'app', statuses: [{ name: 'app', ...status }], ...more }) as Case;

/** The container's state, and whether the command must read the previous logs. */
const CASES: [string, object, boolean][] = [
  ['never restarted', { state: 'running', restart_count: 0 }, false],
  ['restarted, and waiting for the next run', { state: 'waiting', restart_count: 2 }, true],
  ['restarted, and running again', { state: 'running', restart_count: 2 }, true],
  ['restarted, and ended: the newest log is its own', { state: 'terminated', restart_count: 2 }, false],
  ['ended without a restart', { state: 'terminated', restart_count: 0 }, false],
];
for (const [name, status, isPrevious] of CASES)
  commands(`logs: ${name}`, () => {
    const before = isPrevious ? ' --previous' : '';
    assert.equal(logs(subject(status)), [`kubectl logs web -c app${before} --tail=100 -n shop`]);
  });

commands('logs: of an object without pods there are none', () => {
  assert.equal(logs(subject({ state: 'waiting' }, { resource_kind: 'Deployment' })), []);
});

commands.run();
