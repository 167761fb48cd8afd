import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ofPath } from '../../../../src/diagnosis/rules/setting-behind/files.ts';
import { inShort } from '../../../support/builders/cases.ts';
import { likely } from '../../../support/builders/corrections.ts';
import { changesOf, explainedLine, type Fault, type Sort } from '../../../support/builders/explained.ts';
import { claim, empty, mount, mounts, volumes } from '../../../support/builders/volumes.ts';

const test = suite('a path behind a line');

const of = (fault: Fault, sort?: Sort) => changesOf(ofPath(explainedLine(fault, sort)));
const READ_ONLY = { securityContext: { readOnlyRootFilesystem: true } };
const user = (runAsUser: number) => ({ securityContext: { runAsUser } });

for (const words of [
  'cannot create',
  'can not create',
  "can't write",
  'could not make',
  "couldn't mkdir",
  'failed to lock',
  'unable to save',
  'cannot store',
  'could not persist',
  'cannot initialize',
  'failed to initialise',
  'could not open or create',
  'failed creating',
  'failed initializing',
  'failed writing',
  'failed saving',
  'failed opening the lock',
  'error creating',
  'error initialising',
  'error writing',
  'Error saving',
])
  test(`something cannot be made: ${words}`, () =>
    assert.is(of({ says: `${words} /store/out/x`, container: READ_ONLY })?.['culprit'], '/store/out/x (readOnlyRootFilesystem)'));
for (const words of ['cannot read', 'created', 'failed', 'cannot find the place and the time to create', 'error reading'])
  test(`this says nothing of what cannot be made: ${words}`, () =>
    assert.is(of({ says: `${words} /store/out/x`, container: READ_ONLY }), undefined));

const inVolume = (container: object, spec: object = {}, of: object = {}): Fault => ({
  says: 'cannot create /v/out/x',
  container: { ...mounts(mount('v', '/v', of)), ...container },
  spec: { ...volumes(claim('v')), ...spec },
});
const OWN = { 'spec.securityContext.fsGroup': 5 };
for (const [sentence, fault, culprit, changes] of [
  ['the mount is read-only', inVolume({}, {}, { readOnly: true }), 'volume v is read-only', { 'volumeMounts[0].readOnly': null }],
  ['the volume belongs to root, and the container has a user', inVolume(user(5), user(6)), 'volume v, user 5', OWN],
  ['the volume belongs to root, and the pod has a user', inVolume({}, user(5)), 'volume v, user 5', OWN],
] as const)
  test(`a path at which nothing can be made: ${sentence}`, () =>
    assert.equal(of(fault), {
      culprit: `/v/out/x (${culprit})`,
      advice: [
        'Let the program write where its user may write: an `emptyDir`, a volume with `fsGroup`, or a folder that belongs to this user in the image.',
      ],
      corrections: likely(changes),
    }));
for (const [sentence, fault] of [
  ['root writes into the volume', inVolume({})],
  ['root of the container, in a pod with another user', inVolume(user(0), user(5))],
  ['root of another group writes into the volume', inVolume({ securityContext: { runAsUser: 0, runAsGroup: 5 } })],
  ['a user that nobody knows writes into the volume', inVolume({ securityContext: { runAsGroup: 5 } })],
  ['the pod has a group', inVolume(user(5), { securityContext: { fsGroup: 5 } })],
  ['only the root is read-only', inVolume(READ_ONLY)],
  ['nothing is read-only', { says: 'cannot create /store/x', container: user(5) }],
  ['the image needs what is there', { says: 'cannot create /etc/ssl', container: READ_ONLY }],
  ['the line has no path', { says: 'cannot create it', container: READ_ONLY }],
] as const)
  test(`a path of which nothing is known: ${sentence}`, () => assert.is(of(fault), undefined));

const UNUSED = (says: string, more: object[] = []): Fault => ({
  says,
  container: { args: ['--dir=/srv/app', '--db=/srv/flags.sqlite'], ...mounts(mount('d', '/data'), ...more) },
  spec: volumes(claim('d'), empty('e')),
});
test('a path that is in another volume does not belong in the unused claim', () => {
  assert.equal(inShort(ofPath(explainedLine(UNUSED('cannot create /srv/app/cache/x')))?.corrections), likely({ 'args[0]': '--dir=/data' }));
  assert.is(of(UNUSED('cannot create /srv/app/cache/x', [mount('e', '/srv/app/cache')])), undefined);
});
for (const says of ['unable to open database file', 'it is SQLITE_CANTOPEN: sorry'])
  test(`a database that cannot be opened belongs in the unused claim, whoever says it: ${says}`, () => {
    for (const sort of ['other', 'general'] as const)
      assert.equal(of(UNUSED(says), sort), {
        culprit: `--db: ${says}`,
        advice: ['Let the program keep its data in the claim that is mounted for it.'],
        corrections: likely({ 'args[1]': '--db=/data/flags.sqlite' }),
      });
    const named = changesOf(ofPath(explainedLine(UNUSED(says), 'other', { culprit: 'flags' })), { culprit: 'flags' });
    assert.is(named?.['culprit'], '--db: flags');
  });
test('another line says nothing of the database', () => assert.is(of(UNUSED('unable to open the file')), undefined));

test.run();
