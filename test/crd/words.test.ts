import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fullRepository, parseImage, registryOf } from '../../src/crd/image.ts';
import { nearest } from '../../src/diagnosis/corrections/similar-names.ts';
import { formatResource, parseQuantity } from '../../src/crd/quantity.ts';

const words = suite('quantities, images, near names');

for (const [text, number] of [
  ['500m', 0.5],
  ['1Gi', 2 ** 30],
  ['128M', 128e6],
  ['1e3', 1000],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['.', undefined],
  [2, 2],
  ['12Ki', 12 * 1024],
  ['', undefined],
  ['1 Gi', undefined],
  ['Gi', undefined],
  ...(['n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E'] as const).map(
    (suffix, index) => [`2${suffix}`, 2 * 1000 ** (index - (index < 3 ? 3 : 2))] as const,
  ),
  ...(['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const).map((suffix, index) => [`2${suffix}`, 2 * 1024 ** (index + 1)] as const),
  ['ki', undefined],
  ['1ki', undefined],
  ['1ni', undefined],
  ['-1.5', -1.5],
  ['+2k', 2000],
  ['1.', 1],
  ['2E-2', 0.02],
  ['1e100', undefined],
  [Infinity, undefined],
  [NaN, undefined],
  [null, undefined],
  [undefined, undefined],
] as const)
  words(`quantity ${JSON.stringify(text)} (${typeof text}) is ${number}`, () => {
    const read = parseQuantity(text);
    if (number === undefined || read === undefined) assert.is(read, number);
    else assert.ok(Math.abs(read - number) <= Math.abs(number) * 1e-12, `${read}`);
  });

for (const [resource, amount, text] of [
  ['memory', 2 ** 30, '1Gi'],
  ['memory', 200e6, '190Mi'],
  ['cpu', 0.25, '250m'],
  ['cpu', 2, '2'],
  ['limits.cpu', 0.0001, '1m'],
  ['limits.cpu', 1.5, '1500m'],
  ['cpu', 0.0019, '1m'],
  ['cpu', 0.29, '290m'],
  ['requests.memory', 1, '1Mi'],
  ['memory', 2 ** 31 - 1, '2047Mi'],
  ['ephemeral-storage', 2 ** 31, '2Gi'],
  ['hugepages-2Mi', 2 ** 22, '4Mi'],
  ['nvidia.com/gpu', 1.5, '1'],
  ['pods', 110, '110'],
] as const)
  words(`${amount} of ${resource} is written ${text}`, () => assert.is(formatResource(resource, amount), text));

words('an image has repository, tag and digest', () => {
  assert.equal(parseImage('localhost:5000/a/b:1'), { repository: 'localhost:5000/a/b', tag: '1', digest: null });
  assert.equal(parseImage('localhost:5000/a'), { repository: 'localhost:5000/a', tag: null, digest: null });
  assert.equal(parseImage('web@sha256:0'), { repository: 'web', tag: null, digest: 'sha256:0' });
  assert.is(fullRepository('web'), 'docker.io/library/web');
  assert.is(fullRepository('acme/web'), 'docker.io/acme/web');
  assert.is(registryOf('ghcr.io/acme/web:1'), 'ghcr.io');
});

for (const [word, candidates, expected] of [
  ['pyhton', ['python', 'bash'], ['python']],
  ['databse_url', ['database-url', 'cache-url'], ['database-url']],
  ['size', ['color'], []],
  ['postgres-svc', ['postgres', 'postgres-srv'], ['postgres-srv', 'postgres']],
  ['same', ['same'], []],
] as const)
  words(`${word} is a typo of ${expected.join(', ') || 'nothing'}`, () => assert.equal(nearest(word, candidates), [...expected]));

words.run();
