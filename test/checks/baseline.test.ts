import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, PodSpec, PodTemplate } from '../../src/crd/kubernetes.ts';
import { readAdmission } from '../../src/mirrors/policy/admission.ts';
import { baselineViolations, hostPortsOf } from '../../src/checks/baseline.ts';
import { risksOf } from '../../src/mirrors/policy/risks.ts';
import { aSource, aTemplate } from '../support/builders/mirror.ts';

const app = (fields: Partial<Container>): Partial<PodSpec> => ({ containers: [{ name: 'app', image: 'x', ...fields }] });

test('Pod Security baseline, field by field', () => {
  const rows: [Partial<PodSpec>, string[]][] = [
    [{}, []],
    [{ hostNetwork: true, hostPID: true, hostIPC: true }, ['spec.hostNetwork', 'spec.hostPID', 'spec.hostIPC']],
    [{ volumes: [{ name: 'v', hostPath: { path: '/' } }] }, ['spec.volumes[0].hostPath']],
    [app({ ports: [{ containerPort: 1, hostPort: 1 }] }), ['spec.containers[0].ports[0].hostPort']],
    [app({ securityContext: { privileged: true } }), ['spec.containers[0].securityContext.privileged']],
    [app({ securityContext: { procMount: 'Unmasked' } }), ['spec.containers[0].securityContext.procMount']],
    [app({ securityContext: { capabilities: { add: ['CHOWN'] } } }), []],
    [app({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }), ['spec.containers[0].securityContext.capabilities.add']],
    [app({ securityContext: { seccompProfile: { type: 'Unconfined' } } }), ['spec.containers[0].securityContext.seccompProfile.type']],
    [app({ securityContext: { seLinuxOptions: { type: 'spc_t' } } }), ['spec.containers[0].securityContext.seLinuxOptions.type']],
    [
      app({ securityContext: { windowsOptions: { hostProcess: true } } }),
      ['spec.containers[0].securityContext.windowsOptions.hostProcess'],
    ],
    [{ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] } }, []],
    [{ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }, ['spec.securityContext.sysctls[0]']],
    [app({ livenessProbe: { tcpSocket: { port: 1, host: 'h' } } }), ['spec.containers[0].livenessProbe.tcpSocket.host']],
  ];
  for (const [spec, paths] of rows) assert.equal(baselineViolations(aTemplate(spec)), paths);
});

test('annotations count, and ephemeral containers, which no copy has, do not', () => {
  const key = 'container.apparmor.security.beta.kubernetes.io/app';
  const annotated = { metadata: { annotations: { [key]: 'unconfined' } }, spec: { containers: [{ name: 'app' }] } };
  assert.equal(baselineViolations(annotated), [`metadata.annotations["${key}"]`]);
  const bad = { name: 'debug', securityContext: { privileged: true } };
  assert.equal(baselineViolations({ spec: { containers: [], ephemeralContainers: [bad] } }), []);
  assert.equal(baselineViolations({ spec: { containers: [], initContainers: [bad] } }), [
    'spec.initContainers[0].securityContext.privileged',
  ]);
});

test('host ports of all containers; 0 is none', () => {
  const ports = (...hostPorts: number[]) => hostPorts.map((hostPort) => ({ containerPort: 80, hostPort }));
  const spec = {
    initContainers: [{ name: 'proxy', ports: ports(8443) }],
    containers: [{ name: 'app', ports: [...ports(80, 0), { containerPort: 81 }] }, { name: 'side' }],
  };
  assert.equal(new Set(hostPortsOf({ spec } as PodTemplate)), new Set([80, 8443]));
});

test('an API server\u2019s refusal is read for what it says about the mirror', () => {
  const rows: [code: number, message: string, meaning: string][] = [
    [400, 'admission webhook "w.example" does not support dry run', 'unknown'],
    [403, 'pods "x" is forbidden: exceeded quota: q, requested: cpu=2, used: cpu=3, limited: cpu=4', 'waiting QuotaExceeded'],
    [403, 'pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true', 'refused PodSecurity'],
    [403, 'admission webhook "w.example" denied the request: label team is missing', 'inconclusive AdmissionRefused'],
    [422, "pods \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no", 'inconclusive AdmissionRefused'],
    [422, 'Pod "x" is invalid: spec.containers[0].image: Required value', 'refused Invalid'],
    [400, 'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number', 'refused Invalid'],
    [403, 'pods "x" is forbidden: error looking up service account shop/x: serviceaccount "x" not found', 'refused Forbidden'],
    [403, 'pods is forbidden: User "podmend" cannot create resource "pods" in API group ""', 'nothing'],
    [
      403,
      'pods "x" is forbidden: unable to create new content in namespace shop because it is being terminated',
      'waiting NamespaceTerminating',
    ],
    [413, 'limit is 3145728', 'refused Invalid'],
    [422, 'pods "x" is forbidden: failed quota: q: must specify limits.memory', 'waiting QuotaExceeded'],
    [409, 'object is being deleted: pods "x" already exists', 'nothing'],
    [500, 'etcdserver: request timed out', 'nothing'],
    [429, 'too many requests', 'nothing'],
  ];
  for (const [code, message, meaning] of rows) {
    const answer = readAdmission({ code, message });
    assert.is(answer ? `${answer.kind}${'reason' in answer ? ` ${answer.reason}` : ''}` : 'nothing', meaning, message);
  }
});

test('risks say what else a mirror does, and what it cannot show', () => {
  const open = { metadata: { name: 'allow-all' }, spec: { podSelector: {} } };
  const quota = {
    metadata: { name: 'small' },
    status: { hard: { 'limits.memory': '1Gi', pods: '9' }, used: { 'limits.memory': '512Mi', pods: '2' } },
  };
  const around = { policies: [open], unsharedClaims: ['own'], quotas: [quota], openBudgets: ['keep-one'] };
  const spec: Partial<PodSpec> = {
    ...app({
      ports: [{ containerPort: 1, hostPort: 8080 }],
      env: [
        { name: 'L', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
        { name: 'DATABASE_URL', value: 'x' },
        { name: 'KEY', valueFrom: { secretKeyRef: { name: 'paypal', key: 'k' } } },
      ],
      resources: { limits: { memory: '1Gi' } },
      volumeMounts: [
        { name: 'spool', mountPath: '/a' },
        { name: 'logs', mountPath: '/b', readOnly: true },
      ],
    }),
    initContainers: [{ name: 'migrate', image: 'x' }],
    restartPolicy: 'Never',
    readinessGates: [{ conditionType: 'x' }],
    affinity: { podAntiAffinity: {} },
    volumes: [
      ...['own', 'shared'].map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
      { name: 'spool', hostPath: { path: '/var/spool/web' } },
      { name: 'logs', hostPath: { path: '/var/log' } },
      { name: 'export', nfs: { server: 'files', path: '/' } },
      { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } },
    ],
    schedulingGates: [{ name: 'wait' }],
  };
  const said = risksOf(aSource(aTemplate(spec)), aTemplate(spec), around).join('\n');
  for (const word of [
    'once more',
    'migrate',
    '8080',
    'Readiness gates',
    'affinity',
    'own labels',
    'claim own cannot be shared',
    'and may write to it: claim shared',
    '/var/spool/web of the node cannot be shared',
    'It reads /var/log of the node',
    'and may write to it: volume export',
    'new claim is made for its volume scratch',
    'DATABASE_URL, Secret paypal',
    'Scheduling gates',
    'quota small has no room for a second copy (limits.memory: 1073741824 asked, 536870912 left)',
    'allow-all',
    'PodDisruptionBudgets that select every pod count it too, so while it lives they may allow or refuse other evictions: keep-one',
  ])
    assert.match(said, word);
  assert.equal(risksOf(aSource(), aTemplate(), { policies: [], unsharedClaims: [], quotas: [], openBudgets: [] }), []);
  const nothing = { policies: [], unsharedClaims: [], quotas: [], openBudgets: [] };
  const few = (one: Partial<PodSpec>) => risksOf(aSource(aTemplate(one)), aTemplate(one), nothing).join('\n');
  assert.match(few(app({ env: [{ name: 'UPSTREAM', value: 'redis://cache:6379' }] })), 'see UPSTREAM');
  assert.is(few(app({ env: [{ name: 'UPSTREAM', value: 'a//b' }] })), '');
  for (const rule of [
    { topologySpreadConstraints: [{ maxSkew: 1 }] },
    { affinity: { podAffinity: {} } },
    { affinity: { podAntiAffinity: {} } },
  ])
    assert.match(few(rule as Partial<PodSpec>), 'Rules about other pods');
  assert.is(few({ affinity: { nodeAffinity: {} } } as Partial<PodSpec>), '');
  assert.is(few({ initContainers: [{ name: 'proxy', image: 'x', restartPolicy: 'Always' }] }), '', 'a sidecar is no init container');
});

test.run();
