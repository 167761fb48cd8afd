import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container } from '../../../../src/crd/kubernetes.ts';
import { heapOfBytes, heapOfShownBytes } from '../../../../src/diagnosis/corrections/memory/divisor.ts';
import { heapNeed, smallHeap } from '../../../../src/diagnosis/corrections/memory/heap.ts';
import { largerBuffers, largerHeap } from '../../../../src/diagnosis/corrections/memory/larger-heap.ts';
import { largerVolume } from '../../../../src/diagnosis/corrections/memory/larger-volume.ts';
import { memoryLimit } from '../../../../src/diagnosis/corrections/memory/memory.ts';
import { emptySharedMemory } from '../../../../src/diagnosis/corrections/memory/shared-memory.ts';
import { aPlace, anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, likely } from '../../../support/builders/corrections.ts';

const test = suite('heaps and volumes in memory');
const rows = correctionRows(test);
const MI = 2 ** 20;

const need = (...args: string[]) => heapNeed({ name: 'app', args } as Container);
for (const [sentence, arg, mebibytes] of [
  ['a third more', '-Xmx3g', 4096],
  ['256Mi more', '-Xmx512m', 768],
  ['256Mi more, at the border', '-Xmx768m', 1024],
  ['in KiB', '-Xmx1024k', 257],
  ['in bytes', '-Xmx1048576', 257],
  ['in capitals', '-Xmx1G', 1024 * (4 / 3)],
  ['by its long name', '-XX:MaxHeapSize=512m', 768],
  ['the last of two', '-Xmx1g -Xmx512m', 768],
  ['of Node, 128Mi more', '--max-old-space-size=256', 384],
  ['of Node, a third more', '--max_old_space_size 3072', 4096],
] as const)
  test(`what a heap needs: ${sentence}`, () => assert.is(Math.round((need(arg)?.bytes ?? 0) / MI), Math.round(mebibytes)));
test('what a heap needs is said', () => {
  assert.match(
    need('-Xmx3g')?.why ?? '',
    'besides its heap (`-Xmx3g`) the JVM needs about a third of that for classes, threads and buffers',
  );
  assert.match(need('-Xmx512m')?.why ?? '', 'about 256Mi for');
  assert.match(need('--max-old-space-size=256')?.why ?? '', 'about 128Mi for its own memory');
  assert.is(need('x'), undefined);
});
for (const [value, bytes] of [
  ['400MiB', 500 * MI],
  ['4KiB', 5120],
  ['4GiB', 5120 * MI],
  ['4TiB', 5 * MI * MI],
  ['100B', 125],
  ['100', 125],
  ['4G', undefined],
  ['off', undefined],
] as const)
  test(`GOMEMLIMIT=${value}`, () => assert.is(heapNeed({ name: 'app', ...env({ A: 'x', GOMEMLIMIT: value }) } as Container)?.bytes, bytes));

const small = (arg: string, memory?: string) =>
  smallHeap({ name: 'app', args: [arg], ...(memory ? { resources: { limits: { memory } } } : {}) } as Container)?.to;
for (const [sentence, arg, memory, to] of [
  ['three quarters of the limit', '-Xmx256m', '1Gi', '-Xmx768m'],
  ['nothing where it is large enough', '-Xmx768m', '1Gi', undefined],
  ['nothing where it is nearly large enough', '-Xmx640m', '1Gi', undefined],
  ['a little more', '-Xmx639m', '1Gi', '-Xmx768m'],
  ['four times as much without a limit', '-Xmx1g', undefined, '-Xmx4096m'],
  ['in KiB', '-Xmx1024k', '1Gi', '-Xmx768m'],
  ['in bytes', '-Xmx1048576', '1Gi', '-Xmx768m'],
  ['Node', '--max-old-space-size=256', '1Gi', '--max-old-space-size=768'],
  ['no setting', 'x', '1Gi', undefined],
] as const)
  test(`a larger heap: ${sentence}`, () => assert.is(small(arg, memory), to));
rows('a heap that is full', {
  'is raised': [largerHeap(anInput({ args: ['-Xmx256m'], resources: { limits: { memory: '1Gi' } } })), guess({ 'args[0]': '-Xmx768m' })],
  'is large enough': [largerHeap(anInput({ args: ['-Xmx768m'], resources: { limits: { memory: '1Gi' } } })), []],
});

const field = (resource: string, divisor?: string) => ({
  name: 'LIMIT',
  valueFrom: { resourceFieldRef: { resource, ...(divisor === undefined ? {} : { divisor }) } },
});
const bytes = (args: string[], variable: object = field('limits.memory')) =>
  heapOfBytes(anInput({ args, env: [{ name: 'A', value: 'x' }, variable] }));
const DIVISOR = 'env[1].valueFrom.resourceFieldRef.divisor';
rows('a heap from the bytes of the limit', {
  'in MiB': [bytes(['-Xmx$(LIMIT)m']), likely({ [DIVISOR]: '1Mi' })],
  'in KiB': [bytes(['-Xms$(LIMIT)K']), likely({ [DIVISOR]: '1Ki' })],
  'of the request': [bytes(['-Xmn$(LIMIT)m'], field('requests.memory', '1')), likely({ [DIVISOR]: '1Mi' })],
  'with a divisor of zero': [bytes(['-Xmx$(LIMIT)m'], field('limits.memory', '0')), likely({ [DIVISOR]: '1Mi' })],
  'that is divided': [bytes(['-Xmx$(LIMIT)m'], field('limits.memory', '1Mi')), []],
  'of processors': [bytes(['-Xmx$(LIMIT)m'], field('limits.cpu')), []],
  'without a unit': [bytes(['-Xmx$(LIMIT)']), []],
  'of another variable': [bytes(['-Xmx$(OTHER)m']), []],
});
const shown = (option: string, memory = '512Mi', variable: object = field('limits.memory')) =>
  heapOfShownBytes(
    anInput({ env: [{ name: 'A', value: 'x' }, variable], resources: { limits: { memory }, requests: { memory: '256Mi' } } }),
    option,
  );
rows('a heap that shows the bytes of the limit', {
  'in MiB': [shown('-Xmx536870912m'), likely({ [DIVISOR]: '1Mi' })],
  'in GiB': [shown('-Xmx536870912G'), likely({ [DIVISOR]: '1Gi' })],
  'of the request': [shown('-Xms268435456k', '1Gi', field('requests.memory')), likely({ [DIVISOR]: '1Ki' })],
  'of another number': [shown('-Xmx536870913m'), []],
  'that is divided': [shown('-Xmx536870912m', '512Mi', field('limits.memory', '1Mi')), []],
  'without a unit': [shown('-Xmx536870912'), []],
});
test('a heap from bytes has its option and its variable', () =>
  assert.equal([bytes(['-Xmx$(LIMIT)m'])?.name, bytes(['-Xmx$(LIMIT)m'])?.option], ['LIMIT', '-Xmx$(LIMIT)m']));

const full = (file: string, folder: object | undefined, more: object = {}, mountPath = '/cache/') =>
  largerVolume(
    anInput(
      {
        volumeMounts: [
          { name: 'x', mountPath: '/x' },
          { name: 'c', mountPath },
        ],
        ...more,
      },
      {
        volumes: [
          { name: 'x', emptyDir: { sizeLimit: '1Mi' } },
          { name: 'c', ...(folder ? { emptyDir: folder } : { hostPath: { path: '/' } }) },
        ],
      },
    ),
    file,
  );
const SIZE = 'spec.volumes[1].emptyDir.sizeLimit';
const memory = (limit: string) => ({ resources: { limits: { memory: limit } } });
rows('a full volume', {
  'holds four times as much': [full('/cache/a', { sizeLimit: '64Mi' }), likely({ [SIZE]: '256Mi' })],
  'at its very path': [full('/cache', { sizeLimit: '64Mi' }, {}, '/cache'), likely({ [SIZE]: '256Mi' })],
  'in memory, with more of it': [
    full('/cache/a', { sizeLimit: '64Mi', medium: 'Memory' }, memory('256Mi')),
    likely({ [SIZE]: '256Mi', 'resources.limits.memory': '448Mi' }),
  ],
  'in memory, with enough of it': [full('/cache/a', { sizeLimit: '64Mi', medium: 'Memory' }, memory('512Mi')), likely({ [SIZE]: '256Mi' })],
  'in memory without a limit': [full('/cache/a', { sizeLimit: '64Mi', medium: 'Memory' }), likely({ [SIZE]: '256Mi' })],
  'on the disk of the node': [full('/cache/a', { sizeLimit: '64Mi' }, memory('64Mi')), likely({ [SIZE]: '256Mi' })],
  'without a limit': [full('/cache/a', {}), []],
  'of the node': [full('/cache/a', undefined), []],
  'beside it': [full('/cached/a', { sizeLimit: '64Mi' }), []],
});
const SHM = { name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } };
rows('shared memory', {
  'that is full': [
    full('/dev/shm/a', {}),
    guess({ 'spec.volumes[2]': SHM, 'volumeMounts[2]': { name: 'shared-memory', mountPath: '/dev/shm' } }),
  ],
  'of a container without volumes': [
    emptySharedMemory(aPlace()),
    guess({ 'spec.volumes': [SHM], volumeMounts: [{ name: 'shared-memory', mountPath: '/dev/shm' }] }),
  ],
  'that is a volume': [
    emptySharedMemory(
      aPlace({
        volumeMounts: [
          { name: 'x', mountPath: '/x' },
          { name: 's', mountPath: '/dev/shm' },
        ],
      }),
    ),
    [],
  ],
});
test('the limit that holds for a container', () => {
  assert.equal(memoryLimit(aPlace(memory('1Gi'), { resources: { limits: { memory: '2Gi' } } })), {
    written: '1Gi',
    bytes: 1024 * MI,
    isOfPod: false,
  });
  assert.equal(memoryLimit(aPlace({}, { resources: { limits: { memory: '2Gi' } } })), { written: '2Gi', bytes: 2048 * MI, isOfPod: true });
  assert.equal([memoryLimit(aPlace()), memoryLimit(aPlace(memory('much'))), memoryLimit(undefined)], [undefined, undefined, undefined]);
});

const DIRECT = '-XX:MaxDirectMemorySize=';
const buffers = (size: string, limit?: string, ...more: string[]) =>
  largerBuffers(
    anInput({ args: [`${DIRECT}${size}`, ...more], ...(limit && { resources: { limits: { memory: limit } } }) }),
    `${DIRECT}${size}`,
  );
const sized = (size: string) => guess({ 'args[0]': `${DIRECT}${size}` });
rows('buffers beside the heap', {
  'grow fourfold': [buffers('64m'), sized('256m')],
  'in KiB': [buffers('65536k'), sized('256m')],
  'in capitals': [buffers('1G'), sized('4096m')],
  'in bytes': [buffers('67108864'), sized('256m')],
  'grow fourfold where the limit leaves more': [buffers('64m', '1Gi'), sized('256m')],
  'get what the limit leaves': [buffers('64m', '200Mi'), sized('200m')],
  'get what the limit leaves beside the heap': [buffers('64m', '1Gi', '-Xmx600m'), sized('168m')],
  'stay where the limit leaves hardly more': [buffers('64m', '76Mi'), []],
  'get little more than a fifth more': [buffers('64m', '77Mi'), sized('77m')],
  'stay where the heap takes it all': [buffers('64m', '1Gi', '-Xmx1g'), []],
  'of no known size': [buffers('much'), []],
  'that the container does not set': [largerBuffers(anInput({ args: ['x'] }), `${DIRECT}64m`), []],
});

test.run();
