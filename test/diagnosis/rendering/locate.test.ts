import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EvidencePlace } from '../../../src/contract/diagnosis.ts';
import { type Evidenced, locateEvidence } from '../../../src/diagnosis/rendering/locate.ts';

// Where a record contains a quoted line.

const LOGS = '==> app (current) <==\nstarting\npanic: no key\n==> app (previous) <==\nstarting\npanic: no key\nbye: now\n';
const MANIFEST = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: proxy
      image: proxy:1
    - name: app
      image: web:1
      resources:
        requests:
          memory: 16Mi
        limits:
          memory: 16Mi
`;
const record = (over: Partial<Evidenced> = {}): Evidenced => ({
  container: 'app',
  events: [
    { reason: 'Unhealthy', message: 'Readiness probe failed: refused', count: 3 },
    { reason: 'BackOff', message: 'Back-off restarting failed container' },
    { reason: 'Unhealthy', message: 'Readiness probe failed: refused' },
  ],
  container_statuses: [{ name: 'proxy' }, { name: 'app', state: 'waiting' }],
  logs: LOGS,
  manifest: MANIFEST,
  ...over,
});

const test = suite('places of evidence');
const at =
  (place: EvidencePlace['in']) =>
  (index: number): EvidencePlace => ({ in: place, index });
const [events, log, containers, manifest] = [at('events'), at('log'), at('containers'), at('manifest')];
for (const [sentence, source, text, place] of [
  ['of equal events, the newest is found', 'event Unhealthy (3 times)', 'Readiness probe failed: refused', events(2)],
  ['an event that was cut is found by its beginning', 'event BackOff', 'Back-off restart…', events(1)],
  ['an event of another reason is not meant', 'event Killing', 'Back-off restarting failed container', null],
  ['a status is that of the container', 'status of container app', 'terminated: Error, exit code 1', containers(1)],
  ['a container that is not listed has no place', 'status of container other', 'waiting', null],
  ['a log line is found in its run', 'log of app (previous)', 'panic: no key', log(5)],
  ['the same line in the current run', 'log of app (current)', 'panic: no key', log(2)],
  ['a last line', 'log of app (previous), last line', 'bye: now', log(6)],
  ['a line of another run than the named one is not meant', 'log of app (current)', 'bye: now', null],
  ['a log without headings is searched as a whole', 'log of the pod', 'bye: now', log(6)],
  ['a termination message stands with its container', 'log of app (termination message)', 'oops', containers(1)],
  ['a limit is not the request of the same size', 'manifest', 'resources.limits.memory: 16Mi', manifest(13)],
  ['a field of the status has no line', 'pod status', 'Unschedulable: 0/3 nodes', null],
] as [string, string, string, EvidencePlace | null][]) {
  test(sentence, () => assert.equal(locateEvidence(`${source}: ${text}`, record()), { source, text, place }));
}

test('a line without a source is looked for', () => {
  assert.equal(locateEvidence('panic: no key', record()), { source: null, text: 'panic: no key', place: log(5) });
  assert.equal(locateEvidence('something else: entirely', record()).place, null);
});

for (const [what, over] of [
  ['nothing', { events: [], container_statuses: [], logs: null, manifest: null, container: null }],
  ['no YAML', { manifest: 'a: [', logs: '==> ' }],
  ['a manifest of something else', { manifest: 'kind: ConfigMap' }],
] as [string, Partial<Evidenced>][]) {
  test(`a record with ${what} makes nothing throw`, () => {
    const lines = [
      'event : ',
      'event x: y',
      'log of app (current): gone',
      'manifest: a.b: c',
      'manifest: [: x',
      'status of container x: y',
    ];
    for (const line of [...lines, '', ': ']) assert.is(locateEvidence(line, record(over)).place, null, line);
  });
}
test.run();
