import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { entryNames } from '../../../src/diagnosis/rendering/entry-name.ts';

const names = suite('names of the entries that a path counts');

const app = {
  name: 'app',
  env: [{ name: 'A' }, { name: 'B', valueFrom: {} }, { value: 'no name' }],
  args: ['--port', '80'],
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
  ports: [{ name: 'http' }],
};
const volumes = [{ name: 'data', configMap: { items: [{ key: 'a' }] } }];
const one = { spec: { containers: [app], volumes } };
const two = { spec: { containers: [{ name: 'proxy' }, app], volumes } };
const withInit = { spec: { initContainers: [{ name: 'wait' }], containers: [app] } };

for (const [sentence, manifest, path, expected] of [
  ['a variable of the only container', one, 'spec.containers[0].env[1].valueFrom', ['variable B']],
  ['a variable of one of two', two, 'spec.containers[1].env[0].value', ['variable A', 'container app']],
  ['one of two', two, 'spec.containers[0].image', ['container proxy']],
  ['the container beside an init container', withInit, 'spec.containers[0].image', ['container app']],
  ['the init container', withInit, 'spec.initContainers[0].command', ['init container wait']],
  ['a mount', one, 'spec.containers[0].volumeMounts[0].subPath', ['mounted at /data']],
  ['an item of a volume', one, 'spec.volumes[0].configMap.items[0].key', ['volume data']],
  ['a word', one, 'spec.containers[0].args[1]', []],
  ['a port', one, 'spec.containers[0].ports[0].containerPort', []],
  ['a new entry', one, 'spec.containers[0].env[3]', []],
  ['an entry without a name', one, 'spec.containers[0].env[2].value', []],
  [
    'a workload',
    { spec: { template: { spec: two.spec } } },
    'spec.template.spec.containers[1].env[0].value',
    ['variable A', 'container app'],
  ],
  ['another path than the manifest has', one, 'spec.template.spec.containers[0].env[0].value', []],
  ['a path through a text', one, 'spec.containers[0].name.length[0].x', []],
  ['no manifest', undefined, 'spec.containers[0].env[0].value', []],
  ['an odd manifest', { spec: { containers: [null, 7, [], { name: {} }] } }, 'spec.containers[3].image', []],
] as const)
  names(sentence, () =>
    assert.equal(
      entryNames(manifest, path).map(({ what, name }) => `${what} ${name}`),
      expected,
    ),
  );

names.run();
