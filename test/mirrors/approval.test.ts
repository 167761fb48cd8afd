import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { MIRROR_LABEL, MIRROR_OF_LABEL, mirrorHash } from '../../src/crd/mirrorpod.ts';
import { firstObjection, type MirrorRequest, once, REQUEST_CHECKS, ROOM_CHECK } from '../../src/mirrors/approval.ts';
import type { Source } from '../../src/mirrors/policy/source.ts';
import { aSource, aTemplate } from '../support/builders/mirror.ts';

const test = suite('approval');

const template = aTemplate();
const chosen = { template, correction: { origin: 'Given' as const } };

/** A request that every check passes. */
function aRequest(over: Partial<MirrorRequest> = {}): MirrorRequest {
  return {
    enabled: true,
    namespace: 'shop',
    isDenied: false,
    isFromApi: true,
    hasAcknowledged: false,
    record: async () => ({}),
    source: async () => aSource(),
    correction: async () => chosen,
    limit: async () => undefined,
    ...over,
  };
}

const ofPod = (metadata: Pod['metadata']): Partial<MirrorRequest> => ({
  source: async (): Promise<Source> => aSource(template, { pod: { metadata, spec: template.spec } }),
});
const aMirrorsMetadata: Pod['metadata'] = {
  name: `web-mirror-${mirrorHash('u1')}`,
  labels: { [MIRROR_LABEL]: 'true', [MIRROR_OF_LABEL]: 'u1' },
  ownerReferences: [{ apiVersion: 'podmend.dev/v1alpha1', kind: 'MirrorPod', name: 'try', uid: 'u1', controller: true }],
};
const privileged = aTemplate({ hostNetwork: true });
const jobLike = aTemplate({ restartPolicy: 'Never' });
const refusal = { reason: 'MorePower', message: 'The template asks for more power.', paths: ['spec.hostPID'] };

/** What is wrong, what happens to a MirrorPod, what the API answers. */
const OBJECTIONS: [what: string, over: Partial<MirrorRequest>, objection: string, answer: string][] = [
  ['mirrors are switched off', { enabled: false }, 'refused MirrorsDisabled', 'denied: Mirrors are switched off in this installation'],
  ['a denied namespace', { isDenied: true }, 'refused NamespaceDenied', 'denied: Mirrors are not allowed in namespace shop'],
  [
    'the record of another pod',
    { record: async () => ({ mismatch: true }) },
    'refused FailureMismatch',
    'invalid: spec.failureId names no failure record of the source.',
  ],
  [
    'no source',
    { source: async () => undefined },
    'stalled SourceGone',
    'conflict: The pod and its workload are gone, so there is nothing to mirror',
  ],
  ['a mirror as source', ofPod(aMirrorsMetadata), 'refused MirrorOfMirror', 'denied: The source is itself a mirror.'],
  [
    'a static pod',
    ofPod({ name: 'web', annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    'refused StaticPod',
    'denied: The source is a static pod of its node, which is never mirrored.',
  ],
  [
    'a source with more power than baseline',
    { source: async () => aSource(privileged) },
    'refused PrivilegedSource',
    'denied: The source fails Pod Security baseline: spec.hostNetwork',
  ],
  ['a refused template', { correction: async () => ({ refusal }) }, 'refused MorePower', 'invalid: The template asks for more power.'],
  [
    'a job, and nobody accepts that it runs again',
    { correction: async () => ({ ...chosen, template: jobLike }) },
    'refused SideEffects',
    'invalid: The source does its work once, and a mirror would do it again: send acknowledge_side_effects true',
  ],
  ['a limit', { limit: async () => 'No room.' }, 'waiting LimitReached', 'conflict: No room.'],
];
for (const [what, over, objection, answer] of OBJECTIONS)
  test(`${what}: ${objection}`, async () => {
    const found = await firstObjection(aRequest(over), [...REQUEST_CHECKS, ROOM_CHECK]);
    assert.is(`${found?.kind} ${found?.reason}`, objection);
    assert.is(`${found?.answer.kind}: ${found?.answer.message}`, answer);
  });

test('each check has its own name and its own objection', () => {
  const names = [...REQUEST_CHECKS, ROOM_CHECK].map(({ name }) => name);
  assert.is(new Set(names).size, names.length);
  assert.is(OBJECTIONS.length, names.length, 'the table above holds one row for each check');
});

const PASSES: [what: string, over: Partial<MirrorRequest>][] = [
  ['an ordinary pod', {}],
  ['a source with more power, in a MirrorPod that its author may create', { isFromApi: false, source: async () => aSource(privileged) }],
  ['a job whose second run is accepted', { hasAcknowledged: true, source: async () => aSource(jobLike) }],
];
for (const [what, over] of PASSES)
  test(`${what} passes`, async () => assert.is(await firstObjection(aRequest(over), [...REQUEST_CHECKS, ROOM_CHECK]), undefined));

test('a check runs only when those before it have passed', async () => {
  const source = (): never => assert.unreachable('the source was read') as never;
  assert.is((await firstObjection(aRequest({ enabled: false, source }), REQUEST_CHECKS))?.reason, 'MirrorsDisabled');
});

test('what several checks read is read once', async () => {
  let reads = 0;
  const read = once(async () => ++reads);
  assert.equal(await Promise.all([read(), read()]), [1, 1]);
});

test.run();
