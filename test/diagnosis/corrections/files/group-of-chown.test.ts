import { suite } from 'uvu';
import { groupInPlaceOfChown } from '../../../../src/diagnosis/corrections/files/group-of-chown.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, inWords, likely } from '../../../support/builders/corrections.ts';
import * as assert from 'uvu/assert';

const test = suite('an init container that may not change owners');
const rows = correctionRows(test);

const CLAIM = { name: 'v', persistentVolumeClaim: { claimName: 'c' } };
const owns = (command: string[], { init = {}, spec = {} }: { init?: object; spec?: object } = {}) => {
  const own = { name: 'own', command, volumeMounts: [{ name: 'v', mountPath: '/data/' }], ...init };
  const place = anInput(
    {},
    { securityContext: { runAsUser: 1000 }, initContainers: [own], volumes: [CLAIM], ...spec },
    { container: 'own' },
  ).place();
  return place ? groupInPlaceOfChown(place) : undefined;
};
const GONE = likely({ 'spec.initContainers': null, 'spec.securityContext.fsGroup': 2000 });

rows('a chown', {
  'of a claim': [owns(['chown', '-R', '1000:2000', '/data']), GONE],
  'of an empty volume': [owns(['chown', '2000', '/data'], { spec: { volumes: [{ name: 'v', emptyDir: {} }] } }), GONE],
  'in a shell': [owns(['sh', '-c', 'chown -R 1000:2000 /data']), GONE],
  'beside another init container': [
    owns(['chown', '1000:2000', '/data'], {
      spec: {
        initContainers: [
          { name: 'x' },
          { name: 'own', command: ['chown', '1000:2000', '/data'], volumeMounts: [{ name: 'v', mountPath: '/data' }] },
        ],
      },
    }),
    likely({ 'spec.initContainers[1]': null, 'spec.securityContext.fsGroup': 2000 }),
  ],
  'before something else': [owns(['sh', '-c', 'chown 1000:2000 /data && touch /data/x']), []],
  'as root': [owns(['chown', '1000:2000', '/data'], { init: { securityContext: { runAsUser: 0 } } }), []],
  'for root': [owns(['chown', '0:0', '/data']), []],
  'of a folder in no volume': [owns(['chown', '1000:2000', '/srv']), []],
  'of a folder of the node': [owns(['chown', '1000:2000', '/data'], { spec: { volumes: [{ name: 'v', hostPath: { path: '/x' } }] } }), []],
  'in a pod with a group': [owns(['chown', '1000:2000', '/data'], { spec: { securityContext: { runAsUser: 1000, fsGroup: 1 } } }), []],
  'with names': [owns(['chown', 'app:app', '/data']), []],
});

test('a chown, in words', () =>
  assert.equal(inWords(owns(['chown', '1000:2000', '/data'])?.[0]), [
    'Let kubelet give the volume to group `2000`, without `own`',
    'Only root may change the owner of files, and the pod runs as an ordinary user.',
    '`own` only changes the owner, and its user `1000` may not',
    'kubelet then lets that group write into the volume',
  ]));

test.run();
