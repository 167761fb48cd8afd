import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { configNotTakenUp } from '../../src/advice/detectors/config-not-taken-up.ts';
import { NOTHING_OBSERVED } from '../../src/advice/detectors/observed.ts';
import { viewOf } from '../../src/advice/detectors/view.ts';
import { configMapSource, secretSource } from '../../src/advice/observed/config-source.ts';
import { configMemory } from '../../src/advice/observed/configs.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';

// Which running containers do not have the present data of a ConfigMap or Secret. Expected answers were written before the code, from
// the Kubernetes pages "Configure a Pod to Use a ConfigMap", "Mounted ConfigMaps are updated automatically" and "Immutable ConfigMaps".

const T0 = Date.parse('2026-05-01T10:00:00Z');
const at = (minutes: number): Date => new Date(T0 + minutes * 60_000);

type Fields = Record<string, unknown>;
const DATA_OF = (keys: string[]) => Object.fromEntries(keys.map((key) => [`f:${key}`, {}]));
/** An entry of managedFields: its manager owns data alone, or data and labels. */
const written = (minutes: number, keys: string[], metadata: Fields = {}) => ({
  manager: 'kubectl',
  operation: 'Update',
  time: at(minutes).toISOString(),
  fieldsV1: { 'f:data': DATA_OF(keys), ...(Object.keys(metadata).length > 0 && { 'f:metadata': metadata }) },
});
interface Written {
  /** When the data were written, in minutes after T0, as managedFields says. */
  at: number;
  labels?: Record<string, string>;
  /** The manager that wrote the data also owns labels. */
  withLabels?: boolean;
  immutable?: boolean;
}
const metadataOf = (name: string, keys: string[], { at: minutes, labels = {}, withLabels }: Written) => ({
  name,
  namespace: 'shop',
  labels,
  managedFields: [written(minutes, keys, withLabels ? { 'f:labels': { 'f:chart': {} } } : {})],
});
const configMap = (data: Record<string, string>, wrote: Written = { at: -1000 }): KubeObject =>
  ({ metadata: metadataOf('settings', Object.keys(data), wrote), data, ...(wrote.immutable && { immutable: true }) }) as KubeObject;
/** A Secret as PartialObjectMetadata, so without data. */
const secret = (keys: string[], wrote: Written): KubeObject => ({ metadata: metadataOf('keys', keys, wrote) }) as KubeObject;

const ENV = { env: [{ name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } }] };
const ALL = { envFrom: [{ configMapRef: { name: 'settings' } }] };
const SECRET_ENV = { env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'keys', key: 'password' } } }] };
const mount = (subPath: string | undefined, volume: Fields, more: Fields = {}) => ({
  volumeMounts: [{ name: 'conf', mountPath: '/conf', ...(subPath !== undefined && { subPath }), ...more }],
  volumes: [{ name: 'conf', ...volume }],
});

interface Look {
  minutes: number;
  sources: KubeObject[];
  /** When the container of each pod started. */
  started?: number[];
}
function said(container: Fields, looks: Look[]) {
  const { volumes, ...rest } = container;
  const spec = { containers: [{ name: 'app', image: 'web:1', ...rest }], volumes };
  const look = configMemory();
  let answer: ReturnType<typeof configNotTakenUp.run> = [];
  for (const { minutes, sources, started = [-60] } of looks) {
    const view = viewOf('shop', {
      Deployment: [
        {
          metadata: { name: 'web', namespace: 'shop' },
          spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec } },
        },
      ],
      Pod: started.map((start, n) => ({
        metadata: { name: `web-${n}`, labels: { app: 'web' } },
        spec,
        status: { phase: 'Running', containerStatuses: [{ name: 'app', state: { running: { startedAt: at(start).toISOString() } } }] },
      })),
    } as never);
    const all = sources.map((one) => (one.metadata.name === 'keys' ? secretSource(one) : configMapSource(one)));
    answer = configNotTakenUp.run({ ...view, observed: { ...NOTHING_OBSERVED, staleConfigs: look(view, all, at(minutes)) } }, at(minutes));
  }
  return answer;
}

const blue = configMap({ color: 'blue', size: '1' });
const red = configMap({ color: 'red', size: '1' }, { at: 30 });
const larger = configMap({ color: 'blue', size: '2' }, { at: 30 });
const STALE = ['1 pod of Deployment web started before ConfigMap settings changed, and cannot see the change.'];
const STALE_SECRET = ['1 pod of Deployment web started before Secret keys changed, and cannot see the change.'];
/** Looks at minutes 0, 60 and 120. The change is there from minute 60. */
const changes = (to: KubeObject, started: number[] = [-60]): Look[] => [
  { minutes: 0, sources: [blue], started },
  { minutes: 60, sources: [to], started },
  { minutes: 120, sources: [to], started },
];
const once = (sources: KubeObject[], started?: number[]): Look[] => [{ minutes: 120, sources, ...(started && { started }) }];

const CASES: Record<string, [Fields, Look[], string[]]> = {
  'a key in the environment': [ENV, changes(red), STALE],
  'all keys in the environment': [ALL, changes(larger), STALE],
  'the second of two keys in the environment': [
    {
      env: ['color', 'size'].map((key) => ({ name: key, valueFrom: { configMapKeyRef: { name: 'settings', key } } })),
    } as Fields,
    changes(larger),
    STALE,
  ],
  'a key was added': [ALL, changes(configMap({ color: 'blue', size: '1', shape: 'round' }, { at: 30 })), STALE],
  'a key was removed': [ALL, changes(configMap({ color: 'blue' }, { at: 30 })), STALE],
  'a file by subPath': [mount('color', { configMap: { name: 'settings' } }), changes(red), STALE],
  'a file by subPath of a renamed key': [
    mount('etc/app.conf', { configMap: { name: 'settings', items: [{ key: 'color', path: 'etc/app.conf' }] } }),
    changes(red),
    STALE,
  ],
  'a folder by subPath': [
    mount('etc', { configMap: { name: 'settings', items: [{ key: 'color', path: 'etc/app.conf' }] } }),
    changes(red),
    STALE,
  ],
  'by subPath of a projected volume': [
    mount('color', { projected: { sources: [{ configMap: { name: 'settings' } }] } }),
    changes(red),
    STALE,
  ],
  'one of two pods is older': [ENV, changes(red, [-60, 61]), STALE],
  'it changed before the first look, and only its data were written': [ALL, once([red]), STALE],
  'changed, and changed again': [
    ENV,
    [
      ...changes(red),
      { minutes: 180, sources: [configMap({ color: 'green', size: '1' }, { at: 170 })] },
      { minutes: 240, sources: [configMap({ color: 'green', size: '1' }, { at: 170 })] },
    ],
    STALE,
  ],
  'a Secret, by its metadata': [SECRET_ENV, once([secret(['password'], { at: 30 })]), STALE_SECRET],
  'a Secret whose labels the same manager wrote, and whose labels did not change': [
    SECRET_ENV,
    [0, 60, 120].map((minutes) => ({ minutes, sources: [secret(['password'], { at: minutes === 0 ? -1000 : 30, withLabels: true })] })),
    STALE_SECRET,
  ],

  'another key changed': [ENV, changes(larger), []],
  'another file changed': [mount('color', { configMap: { name: 'settings' } }), changes(larger), []],
  'a whole volume updates by itself': [mount(undefined, { configMap: { name: 'settings' } }), changes(red), []],
  'nobody uses it': [{}, changes(red), []],
  'labels alone': [ALL, changes(configMap({ color: 'blue', size: '1' }, { at: 30, labels: { chart: '2' }, withLabels: true })), []],
  'labels alone, before the first look': [ALL, once([configMap({ color: 'blue', size: '1' }, { at: 30, withLabels: true })]), []],
  'one key of two, before the first look': [ENV, once([red]), []],
  'the pods started after the change': [ENV, changes(red, [61]), []],
  'they started between the looks, perhaps before it': [ENV, changes(red, [20]), []],
  'the container restarted after the change': [ENV, [...changes(red).slice(0, 2), { minutes: 120, sources: [red], started: [70] }], []],
  'it changed minutes ago: a rollout may follow': [ENV, [...changes(red).slice(0, 2), { minutes: 65, sources: [red] }], []],
  'the change was taken back': [ENV, [...changes(red), { minutes: 180, sources: [blue] }, { minutes: 240, sources: [blue] }], []],
  'it is immutable': [ENV, changes(configMap({ color: 'red', size: '1' }, { at: 30, immutable: true })), []],
  'it is gone': [
    ENV,
    [
      { minutes: 0, sources: [blue] },
      { minutes: 60, sources: [] },
      { minutes: 120, sources: [] },
    ],
    [],
  ],
  'written in the minute in which the pod started': [ALL, once([configMap({ color: 'red' }, { at: -59.5 })]), []],
  'a Secret of which only one key is used': [SECRET_ENV, once([secret(['password', 'user'], { at: 30 })]), []],
  'a Secret whose labels changed': [
    SECRET_ENV,
    [0, 60, 120].map((minutes) => ({
      minutes,
      sources: [secret(['password'], { at: minutes === 0 ? -1000 : 30, withLabels: true, labels: { chart: minutes === 0 ? '1' : '2' } })],
    })),
    [],
  ],
  'a Secret that was written long before': [SECRET_ENV, once([secret(['password'], { at: -1000 })]), []],
  'a Secret as a whole volume': [mount(undefined, { secret: { secretName: 'keys' } }), once([secret(['password'], { at: 30 })]), []],
  'managedFields that are garbage': [
    SECRET_ENV,
    once([
      {
        metadata: {
          name: 'keys',
          managedFields: [null, 7, {}, { time: 'soon', fieldsV1: [] }, { time: at(30).toISOString(), fieldsV1: 'x' }],
        },
      },
    ]),
    [],
  ],
  'the container does not run': [ENV, changes(red, [NaN]).map((one) => ({ ...one, started: [] })), []],
};

const configs = suite('containers with old configuration');
for (const [situation, [container, looks, expected]] of Object.entries(CASES))
  configs(situation, () =>
    assert.equal(
      said(container, looks).map(({ summary }) => summary),
      expected,
    ),
  );

configs('the evidence names source, keys, container and the way', () => {
  assert.equal(said(ENV, changes(red))[0]?.evidence, {
    configurations: [
      {
        config_map: 'settings',
        keys: ['color'],
        container: 'app',
        by: 'environment',
        changed_before: at(60).toISOString(),
        pods: 1,
        pod: 'web-0',
      },
    ],
  });
});

configs('no value is kept: not of a complete Secret, and not in the annotation of kubectl apply', () => {
  const value = 'c2VjcmV0LXZhbHVl';
  const applied = { 'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"password":"${value}"}}` };
  const whole = { metadata: { name: 'keys', annotations: applied }, data: { password: value } } as KubeObject;
  for (const source of [secretSource(whole), configMapSource(whole)]) assert.not.match(JSON.stringify(source), value);
  assert.equal(secretSource(whole).keys, []);
});

configs.run();
