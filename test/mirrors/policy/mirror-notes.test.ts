import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../../src/crd/kubernetes.ts';
import {
  annotationsOf,
  factsOf,
  hashTemplate,
  labelAnnotations,
  type MirrorNotes,
  notesOf,
  replacedVolumes,
} from '../../../src/mirrors/policy/mirror-notes.ts';
import { aMirrorsPod, aTemplate, BORN } from '../../support/builders/mirror.ts';

const HISTORY = {
  containers: [{ name: 'app', hasRun: true, longestToMemoryKillSeconds: 9, memoryLimit: 64 }],
  knownRuns: 2,
  endedRuns: 3,
  longestRunSeconds: 4.5,
};
const UNKNOWN = { containers: [], knownRuns: 0, endedRuns: 0, longestRunSeconds: 0 };
const NOTES: MirrorNotes = {
  ...{ templateHash: 'h', failureId: 70, reasonBefore: 'OOMKilled', history: HISTORY, backoffLimit: 2, strippedCause: 'its node' },
  correction: { origin: 'Given', explanation: 'e' },
};
const noted = (annotations: Record<string, string>): Pod => aMirrorsPod({}, { annotations });
const read = (name: string, value: string) => notesOf(noted({ [`podmend.dev/${name}`]: value }));

test('what is noted is read back, with the source and the replaced volumes', () => {
  const annotations = annotationsOf(NOTES, 'web', ['data', 'cache']);
  assert.equal(notesOf(noted(annotations)), NOTES);
  assert.equal([annotations['podmend.dev/source-pod'], replacedVolumes(noted(annotations))], ['web', ['data', 'cache']]);
});

test('what is not known is not noted', () => {
  const annotations = annotationsOf({ templateHash: 'h', history: UNKNOWN }, 'web', []);
  assert.equal(Object.keys(annotations).length, 3);
  assert.equal(notesOf(noted(annotations)), { templateHash: 'h', history: UNKNOWN });
  assert.equal([replacedVolumes(noted({})), notesOf(aMirrorsPod())], [[], { templateHash: '', history: UNKNOWN }]);
});

test('notes that somebody has edited count as unknown', () => {
  for (const history of [
    '{',
    '[]',
    '{"containers":[]}',
    JSON.stringify({ ...HISTORY, knownRuns: -1 }),
    JSON.stringify({ ...HISTORY, containers: [{ name: 'app' }] }),
  ])
    assert.equal(read('source-history', history).history, UNKNOWN, history);
  assert.equal(
    [read('failure', 'x').failureId, read('failure', '1.5').failureId, read('failure', '').failureId],
    [undefined, undefined, undefined],
  );
  assert.equal(
    ['-1', '1e3', '1234567890', '123456789'].map((limit) => read('backoff-limit', limit).backoffLimit),
    [undefined, undefined, undefined, 123_456_789],
  );
  assert.is(read('correction', '{').correction, undefined);
});

test('labels with a domain share one annotation', () => {
  assert.equal(labelAnnotations({ app: 'web', 'a.b': 'c', 'x/y': 'z' }), {
    app: 'web',
    'podmend.dev/source-labels': '{"a.b":"c","x/y":"z"}',
  });
  assert.equal([labelAnnotations({ app: 'web' }), labelAnnotations()], [{ app: 'web' }, {}]);
});

test('the status takes name, start, template and correction from the pod', () => {
  const { correction } = NOTES;
  assert.equal(factsOf(noted(annotationsOf(NOTES, 'web', []))), {
    podName: 'web-mirror-12345678',
    startTime: BORN,
    templateHash: 'h',
    correction,
  });
  const { creationTimestamp: _, ...metadata } = aMirrorsPod().metadata;
  assert.equal(factsOf({ ...aMirrorsPod(), metadata }), { podName: 'web-mirror-12345678' });
});

test('a template has the same hash in any order of its keys', () => {
  const hash = hashTemplate(aTemplate());
  assert.match(hash, /^[0-9a-f]{16}$/);
  assert.is(hashTemplate({ spec: aTemplate().spec, metadata: aTemplate().metadata! }), hash);
  assert.is.not(hashTemplate(aTemplate({ hostNetwork: true })), hash);
});

test.run();
