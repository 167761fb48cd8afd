import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest, type CaseParts, crashed } from '../../support/builders/cases.ts';

const finer = suite('finer points of the rules');

const changes = (parts: CaseParts) =>
  diagnose(aCase(parts)).corrections.map((correction) => correction.changes.map(({ path, to }) => [path.replace(/^.*\]\./, ''), to]));
const says = (logs: string, container: object = {}): CaseParts => ({ status: crashed(), logs, manifest: aPodManifest(container) });
const unready = (container: object, logs: string, message: string): CaseParts => ({
  failure_reason: 'Unhealthy',
  status: { state: 'running' },
  events: [{ type: 'Warning', reason: 'Unhealthy', message }],
  logs,
  manifest: aPodManifest(container),
});
const REFUSED = 'Readiness probe failed: Get "http://10.1.2.3:8080/": dial tcp 10.1.2.3:8080: connect: connection refused';
const asks = (port: number, ports: number[]) => ({
  readinessProbe: { httpGet: { path: '/', port } },
  ports: ports.map((containerPort) => ({ containerPort })),
});

finer('when two probes fail, the cause is the one for which the container was killed', () => {
  const events = [
    { type: 'Normal', reason: 'Killing', message: 'Container app failed liveness probe, will be restarted' },
    { type: 'Warning', reason: 'Unhealthy', message: 'Liveness probe failed: HTTP probe failed with statuscode: 500' },
    { type: 'Warning', reason: 'Unhealthy', message: 'Readiness probe failed: HTTP probe failed with statuscode: 503' },
  ];
  const probes = { livenessProbe: { httpGet: { path: '/live', port: 80 } }, readinessProbe: { httpGet: { path: '/ready', port: 80 } } };
  const parts = { failure_reason: 'Unhealthy', status: crashed(137), events, manifest: aPodManifest(probes) };
  assert.is(diagnose(aCase(parts)).culprit, 'liveness probe GET /live :80 (status 500)');
});

for (const file of ['/app/store.db', '/etc/shop.conf', '/usr/share/elasticsearch/es.pid', '/opt/shop/x.log', '/store.db'])
  finer(`no empty volume hides the files beside ${file}`, () =>
    assert.equal(changes(says(`Error: EACCES: permission denied, open '${file}'\n`)), []),
  );

finer('an empty volume is mounted only where there is only data', () => {
  const [made] = changes(says("mkdir: cannot create directory '/app/cache': Permission denied\n"));
  assert.equal(made?.at(-1)?.[1], [{ name: 'writable-app-cache', mountPath: '/app/cache' }]);
});

finer('a bad name of an image is understood in each wording', () => {
  for (const message of [
    'Failed to apply default image tag "web:1:2": couldn\'t parse image name "web:1:2": repository name must be canonical',
    'failed to parse image reference "web:1:2": invalid reference format',
  ])
    assert.match(diagnose(aCase({ failure_reason: 'Pending', failure_message: message })).summary, 'is not an image reference', message);
});

finer('a warning that only has a word of error is no cause', () =>
  assert.is(diagnose(aCase(says('WARN failed to refresh the cache\nbye\n'))).culprit, 'bye'),
);

for (const [line, port] of [
  ['{"level":"info","caller":"server/server.go:30","msg":"http server listening","addr":":9090"}', 9090],
  ['10:45:12 server.py:88 Server started at 10:45:13 on port 9090', 9090],
  ['Server started 2026-01-01 10:45:12', undefined],
] as const)
  finer(`the port that is open, of: ${line}`, () => {
    const [first] = changes(unready(asks(8080, [8080]), `==> app (current) <==\n${line}\n`, REFUSED));
    assert.equal(first, port && [['readinessProbe.httpGet.port', port]]);
  });

finer('a port that the log calls open is not what is wrong', () =>
  assert.equal(changes(unready(asks(8080, [8080, 9000]), '==> app (current) <==\nlistening on :8080\n', REFUSED)), []),
);

for (const [line, words] of [
  [
    '{"level":"fatal","ts":1,"caller":"main.go:4","msg":"no way on","error":"the flux is not aligned"}',
    'no way on: the flux is not aligned',
  ],
  ['{"level":60,"err":{"message":"the flux failed","stack":"Error: x\\n at y"},"msg":"stop","v":0}', 'stop: the flux failed'],
  ['time="2026-01-01T00:00:00Z" level=fatal msg="no \\"way\\" on" error="the flux"', 'no "way" on: the flux'],
  ['{"level":"error","msg":"broken', '{"level":"error","msg":"broken'],
  ['[1,2] error in a list', '[1,2] error in a list'],
] as const)
  finer(`the words of a record: ${line.slice(0, 60)}`, () => assert.is(diagnose(aCase(says(`${line}\n`))).culprit, words));

finer('a server that goes into the background stays in the foreground', () => {
  const container = { command: ['redis-server'], args: ['--daemonize', 'yes', '--port', '7000'] };
  const [first] = changes({ status: crashed(0), manifest: aPodManifest(container) });
  assert.equal(first, [['args', ['--port', '7000']]]);
  const [other] = changes({ status: crashed(0), manifest: aPodManifest({ command: ['server', '--fork'] }) });
  assert.equal(other, [['command', ['server']]]);
});

finer('no correction requests more memory than a node has', () => {
  const parts = {
    failure_reason: 'OOMKilled',
    status: { ...crashed(137), last_state: { state: 'terminated' as const, reason: 'OOMKilled', exit_code: 137 } },
    manifest: aPodManifest({ resources: { limits: { memory: '3Gi' } } }),
  };
  const nodes = [{ name: 'n', labels: {}, allocatable: { memory: '8Gi' }, taints: [] }];
  assert.equal(changes({ ...parts, surroundings: { nodes } }), [[['resources.limits.memory', '6Gi']]]);
  assert.is(changes(parts).length, 2);
});

finer('a webhook that refuses in several lines is quoted', () => {
  const message =
    'Error creating: admission webhook "validate.kyverno.svc-fail" denied the request: \n\nresource Pod/shop was blocked\n\nrequire-limits: no limits';
  const events = [{ type: 'Warning', reason: 'FailedCreate', message }];
  assert.match(
    diagnose(aCase({ failure_reason: 'FailedCreate', resource_kind: 'ReplicaSet', events })).summary,
    /was blocked.*require-limits/,
  );
});

const QUOTA_SAYS =
  'Error creating: pods "web-x" is forbidden: exceeded quota: team, requested: requests.cpu=500m, used: requests.cpu=1800m, limited: requests.cpu=2';
const quota = (name: string, hard: Record<string, string>, used: Record<string, string>, scopes: string[] = []) => ({
  name,
  scopes,
  hard,
  used,
});
const TEAM = quota('team', { 'requests.cpu': '2', pods: '9' }, { 'requests.cpu': '1800m', pods: '4' });
const TEAM_NOW = [
  'quota team now: requests.cpu: 1800m of 2 used, one pod asks for 500m',
  'quota team now: pods: 4 of 9 used, one pod asks for 1',
];
const AGAIN = 'The quota has room for a pod now. The controller tries again by itself.';
const quotaRows: [sentence: string, quotas: ReturnType<typeof quota>[], evidence: string[], advice: string[]][] = [
  ['nothing is known', [], [], []],
  ['it is as the event said', [TEAM], TEAM_NOW, []],
  [
    'it has room again',
    [quota('team', { 'requests.cpu': '2' }, { 'requests.cpu': '1' })],
    ['quota team now: requests.cpu: 1 of 2 used, one pod asks for 500m'],
    [AGAIN],
  ],
  [
    'another is short too',
    [quota('memory', { 'requests.memory': '1Gi' }, { 'requests.memory': '900Mi' }), TEAM],
    [...TEAM_NOW, 'quota memory now: requests.memory: 900Mi of 1Gi used, one pod asks for 256Mi'],
    ['`requests.memory` of quota `memory` is short too: requests.memory: 900Mi of 1Gi used, one pod asks for 256Mi.'],
  ],
  [
    'another has room, and a scoped one may not count it',
    [quota('wide', { pods: '99' }, {}), quota('best-effort', { pods: '0' }, {}, ['BestEffort']), TEAM],
    TEAM_NOW,
    [],
  ],
  ['its numbers are none', [quota('team', { 'requests.cpu': 'much' }, { 'requests.cpu': '?' })], [], []],
];
for (const [sentence, quotas, evidence, advice] of quotaRows)
  finer(`a used up quota, and ${sentence}`, () => {
    const manifest = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        template: { spec: { containers: [{ name: 'app', image: 'web:1', resources: { requests: { cpu: '500m', memory: '256Mi' } } }] } },
      },
    };
    const events = [{ type: 'Warning', reason: 'FailedCreate', message: QUOTA_SAYS }];
    const told = diagnose(
      aCase({ failure_reason: 'FailedCreate', resource_kind: 'ReplicaSet', events, manifest, surroundings: { quotas } }),
    );
    assert.is(told.culprit, 'quota team: requests.cpu');
    assert.equal(
      told.evidence.filter((line) => line.startsWith('quota ')),
      evidence,
    );
    assert.equal(
      told.advice.filter((line) => /too:|room for a pod now/.test(line)),
      advice,
    );
  });

const FAST = { name: 'fast', isDefault: false };
const claimRows: [
  sentence: string,
  claim: object,
  classes: { name: string; isDefault: boolean }[] | undefined,
  culprit: string,
  says: RegExp,
][] = [
  ['a typo', { storageClass: 'fats' }, [FAST], 'data: storage class fats', /`fats`, which does not exist \(a similar name: `fast`\)/],
  ['no class at all', { storageClass: 'ssd' }, [], 'data: storage class ssd', /`ssd`, which does not exist\./],
  ['one that is there', { storageClass: 'fast' }, [FAST], 'data: storage class fast', /waits for a volume of storage class `fast`/],
  ['none, without a default', {}, [FAST], 'data: no storage class', /names no storage class, and none is the default/],
  ['none, with a default', {}, [{ name: 'std', isDefault: true }], 'data', /is not bound/],
  [
    'the empty one',
    { storageClass: '' },
    [{ name: 'std', isDefault: true }],
    'data: no storage class',
    /so it can only use a volume that somebody created/,
  ],
  ['classes that nobody may read', { storageClass: 'fats' }, undefined, 'data', /is not bound/],
  ['a volume already', { storageClass: 'fats', phase: 'Bound' }, [FAST], 'data', /is not bound/],
];
for (const [sentence, claim, storageClasses, culprit, says] of claimRows)
  finer(`a claim that waits, with ${sentence}`, () => {
    const message = '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found';
    const manifest = aPodManifest({}, { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] });
    const claims = [
      { name: 'other', phase: 'Pending' },
      { name: 'data', phase: 'Pending', ...claim },
    ];
    const surroundings = { claims, ...(storageClasses ? { storageClasses } : {}) };
    const told = diagnose(aCase({ failure_reason: 'Unschedulable', failure_message: message, manifest, surroundings }));
    assert.is(told.culprit, `PersistentVolumeClaim ${culprit}`);
    assert.match(told.summary, says);
  });

const ENDED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
};
const IS_ENDED = 'condition DisruptionTarget: DeletionByTaintManager: Taint manager: deleting due to NoExecute taint';
const endRows: [sentence: string, reason: string, message: string, status: unknown, quoted: string[]][] = [
  ['by a taint', 'Evicted', 'Taint manager: deleting due to NoExecute taint', { conditions: [ENDED] }, [IS_ENDED]],
  [
    'by preemption',
    'Preempted',
    'Preempted by pod x on node n',
    { conditions: [{ ...ENDED, reason: 'PreemptionByScheduler', message: '' }] },
    ['condition DisruptionTarget: PreemptionByScheduler'],
  ],
  ['with its node', 'NodeLost', 'node is no longer there', { conditions: [{ type: 'Ready', status: 'True' }, ENDED] }, [IS_ENDED]],
  ['by nobody any more', 'Preempted', 'Preempted by pod x on node n', { conditions: [{ ...ENDED, status: 'False' }] }, []],
  [
    'and says it in no shape',
    'Preempted',
    'Preempted by pod x on node n',
    { conditions: [null, 7, { ...ENDED, reason: [], message: {} }] },
    [],
  ],
  ['and has no status', 'Preempted', 'Preempted by pod x on node n', null, []],
];
for (const [sentence, reason, message, status, quoted] of endRows)
  finer(`a pod that was ended ${sentence}`, () => {
    const manifest = { ...aPodManifest(), status };
    const { evidence } = diagnose(aCase({ failure_reason: reason, failure_message: message, container: null, manifest }));
    assert.equal(
      evidence.filter((line) => line.startsWith('condition')),
      quoted,
    );
  });

finer.run();
