import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOTHING_OBSERVED } from '../../src/advice/detectors/observed.ts';
import { slowImagePull } from '../../src/advice/detectors/slow-image-pull.ts';
import { viewOf } from '../../src/advice/detectors/view.ts';
import { pullMemory, secondsOf } from '../../src/advice/observed/pulls.ts';

// Messages of the kubelet about pulls, in the forms of several releases, and the advice. Expected answers were written before the code.

const T0 = Date.parse('2026-05-01T10:00:00Z');
const at = (minutes: number): Date => new Date(T0 + minutes * 60_000);

const DURATIONS: [string, number | undefined][] = [
  ['45.1s', 45.1],
  ['850ms', 0.85],
  ['1m35.4s', 95.4],
  ['1h2m3s', 3723],
  ['2µs', 0.000002],
  ['0s', 0],
  ['', undefined],
  ['s', undefined],
  ['-3s', undefined],
  ['1.s', undefined],
  ['3', undefined],
  ['3 s', undefined],
  ['25h', undefined],
  ['999999999h', undefined],
  ['1d', undefined],
];

let uid = 0;
const pulled = (message: string, pod = 'web-0', minutes = 0) => ({
  metadata: { name: `${pod}.1`, namespace: 'shop', uid: `event-${uid++}` },
  reason: 'Pulled',
  message,
  involvedObject: { kind: 'Pod', name: pod, namespace: 'shop', fieldPath: 'spec.containers{app}' },
  source: { component: 'kubelet', host: 'node-1' },
  lastTimestamp: at(minutes).toISOString(),
});
type Event = ReturnType<typeof pulled>;
const slow = (pod: string, minutes = 0, image = 'web:1') =>
  pulled(`Successfully pulled image "${image}" in 1m35.4s (1m35.4s including waiting). Image size: 90177536 bytes.`, pod, minutes);
const fast = (pod: string, image = 'web:1') =>
  pulled(`Successfully pulled image "${image}" in 3s (3s including waiting). Image size: 1000 bytes.`, pod);

const viewWith = (image: string) =>
  viewOf('shop', {
    Deployment: [
      {
        metadata: { name: 'web', namespace: 'shop' },
        spec: { selector: { matchLabels: { app: 'web' } }, template: { spec: { containers: [{ name: 'app', image }] } } },
      },
    ],
  });

function said(passes: [minutes: number, events: Event[], image?: string][]) {
  const look = pullMemory();
  let answer: ReturnType<typeof slowImagePull.run> = [];
  for (const [minutes, events, image = 'web:1'] of passes) {
    const view = viewWith(image);
    answer = slowImagePull.run({ ...view, observed: { ...NOTHING_OBSERVED, pulls: look(view, events, at(minutes)) } }, at(minutes));
  }
  return answer;
}

const SLOW = ['At least 2 pods waited a minute or longer for image web:1 of Deployment web.'];
const two = [slow('a'), slow('b')];
const CASES: Record<string, [Parameters<typeof said>[0], string[]]> = {
  'two pods, as the kubelet writes it since 1.30': [[[10, two]], SLOW],
  'as the kubelet wrote it before 1.30': [
    [[10, ['a', 'b'].map((pod) => pulled('Successfully pulled image "web:1" in 2m1.5s (2m1.5s including waiting)', pod))]],
    SLOW,
  ],
  'as even older kubelets wrote it': [
    [[10, ['a', 'b'].map((pod) => pulled('Successfully pulled image "web:1" in 75.123456789s', pod))]],
    SLOW,
  ],
  'a short pull that waited for others': [
    [[10, ['a', 'b'].map((pod) => pulled('Successfully pulled image "web:1" in 5s (1m30s including waiting). Image size: 9 bytes.', pod))]],
    SLOW,
  ],
  'in two passes, the first pod’s event expired': [
    [
      [10, [slow('a')]],
      [70, [slow('b', 65)]],
    ],
    SLOW,
  ],
  'the events have expired': [
    [
      [10, two],
      [120, []],
    ],
    SLOW,
  ],
  'an image without a tag': [
    [[10, [slow('a', 0, 'web:latest'), slow('b', 0, 'web:latest')], 'web']],
    ['At least 2 pods waited a minute or longer for image web:latest of Deployment web.'],
  ],
  'one pod': [[[10, [slow('a')]]], []],
  'the same event, listed by two passes': [
    [
      [10, two.slice(0, 1)],
      [20, two.slice(0, 1)],
    ],
    [],
  ],
  'two containers of one pod': [[[10, [slow('a'), slow('a')]]], []],
  'under a minute': [
    [
      [
        10,
        ['a', 'b'].map((pod) => pulled('Successfully pulled image "web:1" in 45.1s (45.1s including waiting). Image size: 9 bytes.', pod)),
      ],
    ],
    [],
  ],
  'most pods pulled it quickly': [[[10, [...two, ...['c', 'd', 'e'].map((pod) => fast(pod))]]], []],
  'half of the pods pulled it quickly': [[[10, [...two, fast('c'), fast('d')]]], SLOW],
  'an image that no container uses': [[[10, [slow('a', 0, 'db:1'), slow('b', 0, 'db:1')]]], []],
  'the workload has another version now': [
    [
      [10, two],
      [70, [], 'web:2'],
      [80, [], 'web:1'],
    ],
    [],
  ],
  'it was there already': [[[10, ['a', 'b'].map((pod) => pulled('Container image "web:1" already present on machine', pod))]], []],
  'eight days ago': [
    [
      [10, two],
      [8 * 24 * 60, []],
    ],
    [],
  ],
  'from the future': [[[0, [slow('a', 60), slow('b', 60)]]], []],
  'text that is no duration': [[[10, ['a', 'b'].map((pod) => pulled('Successfully pulled image "web:1" in ages', pod))]], []],
  'no message, no pod, no time': [
    [
      [
        10,
        [
          { ...slow('a'), message: undefined },
          { ...slow('b'), involvedObject: undefined },
          { ...slow('c'), lastTimestamp: 'soon' },
        ] as never,
      ],
    ],
    [],
  ],
};

const pulls = suite('slow pulls');
for (const [text, seconds] of DURATIONS) pulls(`a duration of ${JSON.stringify(text)}`, () => assert.equal(secondsOf(text), seconds));
for (const [situation, [passes, expected]] of Object.entries(CASES))
  pulls(situation, () =>
    assert.equal(
      said(passes).map(({ summary }) => summary),
      expected,
    ),
  );

pulls('of many slow pulls the last five are kept', () => {
  const look = pullMemory();
  const pods = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const [found] = look(
    viewWith('web:1'),
    pods.map((pod) => slow(pod)),
    at(10),
  );
  assert.equal(
    found?.slow.map(({ pod }) => pod),
    ['c', 'd', 'e', 'f', 'g'],
  );
  assert.is(found?.pulls, 7);
});

const CHANGES: [string, string, RegExp][] = [
  ['it waited for others', 'in 5s (1m30s including waiting). Image size: 9 bytes.', /serializeImagePulls: false/],
  ['2 GiB in 100 s: 20 MiB a second', 'in 1m40s (1m40s including waiting). Image size: 2147483648 bytes.', /image is large/],
  ['600 MiB in 120 s: 5 MiB a second', 'in 2m0s. Image size: 629145600 bytes.', /image is large/],
  ['600 MiB in 121 s', 'in 2m1s. Image size: 629145600 bytes.', /registry is far or slow/],
  ['86 MiB in 95 s', 'in 1m35s (1m35s including waiting). Image size: 90177536 bytes.', /registry is far or slow/],
  ['the message has no size', 'in 1m35s', /registry is far or slow/],
];
for (const [situation, words, change] of CHANGES)
  pulls(`what to change: ${situation}`, () => {
    const [one] = said([[10, ['a', 'b'].map((pod) => pulled(`Successfully pulled image "web:1" ${words}`, pod))]]);
    assert.match(one?.change ?? '', change);
  });

pulls('the evidence names pods, nodes, seconds and the size', () => {
  const [one] = said([[10, two]]);
  assert.equal(one?.evidence, {
    image: 'web:1',
    size: '86 MiB',
    slow_pulls: ['a', 'b'].map((pod) => ({ pod, node: 'node-1', pulled_seconds: 95, waited_seconds: 0, at: '2026-05-01T10:00:00.000Z' })),
    pulls_seen: 2,
  });
});

pulls('the memory is bounded', () => {
  const look = pullMemory(1);
  const other = { ...viewWith('web:1'), namespace: 'bank' };
  assert.equal([look(viewWith('web:1'), two, at(10)).length, look(other, [slow('a'), slow('b')], at(10)).length], [1, 0]);
});

pulls.run();
