import type { Around } from '../../../src/checks/check.ts';

// Objects for the checks: good ones without findings, and bad ones with one defect each.

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

export const DIGEST = `@sha256:${'a'.repeat(64)}`;
/** Surroundings that answer everything the checks ask, and that cause no findings. */
export const AROUND: Around = {
  trustedRegistries: ['registry.example:5000', '*.trusted.example'],
  policySelectors: [{}],
  quietAccounts: new Set(),
  hasAccount: (_, name) => name !== 'gone',
  usage: {
    span: '2026-05-01T10:00:00Z to 2026-05-02T10:00:00Z (24 hours)',
    of: ({ metadata }) => (metadata.name === 'idle' ? { used: ['get pods'], unused: ['list pods'] } : undefined),
  },
  isBound: ({ metadata }) => metadata.name !== 'unbound',
};

/** A Deployment in which no check finds anything. */
export function good(): Loose {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          serviceAccountName: 'web',
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'app',
              image: `registry.example:5000/shop/web:1.2${DIGEST}`,
              ports: [{ containerPort: 80 }],
              readinessProbe: { httpGet: { port: 80 } },
              livenessProbe: { httpGet: { port: 80 } },
              env: [{ name: 'LOG_LEVEL', value: 'info' }],
              args: ['--port', '80'],
              resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  };
}

export const spec = (change: (spec: Loose) => void) => {
  const object = good();
  change(object.spec.template.spec);
  return object;
};
export const app = (change: (container: Loose) => void) => spec(({ containers }) => change(containers[0]));
export const service = (fields: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop' },
  spec: fields,
});
const hostPath = (path: string) => spec((one) => (one.volumes = [{ name: 'v', hostPath: { path } }]));

export const RBAC = 'rbac.authorization.k8s.io';
export const CERTS = 'certificates.k8s.io';
export const rule = (group: string, resources: string, verbs: string) => ({
  apiGroups: [group],
  resources: resources.split(','),
  verbs: verbs.split(','),
});
export const role = (...rules: object[]) => ({ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: 'x' }, rules });
export const binding = (name: string, ...subjects: object[]) => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name: 'x' },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
  subjects,
});

/** `[check, a bad object, the wrong field, other checks that also report it]`: at least one for each check. */
export const BAD: [string, Loose, string, string[]?][] = [
  ['image-tag', app((c) => (c.image = 'registry.example:5000/web')), 'containers[0].image', ['image-digest']],
  ['image-tag', app((c) => (c.image = 'registry.example:5000/web:latest')), 'containers[0].image', ['image-digest']],
  ['image-digest', app((c) => (c.image = 'registry.example:5000/web:1')), 'containers[0].image'],
  ['untrusted-registry', app((c) => (c.image = `web:1${DIGEST}`)), 'containers[0].image'],
  ['resource-requests', app((c) => delete c.resources.requests), 'containers[0].resources.requests'],
  [
    'resource-requests',
    // A request for the whole pod replaces the requests of the containers only if it names both resources.
    spec((one) => Object.assign(one, { resources: { requests: { memory: '1Gi' } } }) && delete one.containers[0].resources.requests),
    'containers[0].resources.requests',
  ],
  ['memory-limit', app((c) => delete c.resources.limits), 'containers[0].resources.limits.memory'],
  ['readiness-probe', app((c) => delete c.readinessProbe), 'containers[0].readinessProbe'],
  ['liveness-probe', app((c) => delete c.livenessProbe), 'containers[0].livenessProbe'],
  ['token-automount', spec((one) => delete one.automountServiceAccountToken), 'automountServiceAccountToken'],
  [
    'default-account',
    spec((one) => Object.assign(one, { serviceAccountName: '', automountServiceAccountToken: true })),
    'serviceAccountName',
    ['token-automount'],
  ],
  ['writable-root', app((c) => delete c.securityContext.readOnlyRootFilesystem), 'containers[0].securityContext.readOnlyRootFilesystem'],
  ['runtime-socket', hostPath('/var/run/docker.sock'), 'volumes[0].hostPath.path', ['host-path']],
  ['runtime-socket', hostPath('/run/containerd/containerd.sock'), 'volumes[0].hostPath.path', ['host-path']],
  ['runtime-socket', hostPath('/run/k3s/containerd/containerd.sock'), 'volumes[0].hostPath.path', ['host-path']],
  ['runtime-socket', hostPath('/var/run/crio/crio.sock'), 'volumes[0].hostPath.path', ['host-path']],
  ['runtime-socket', hostPath('/var/run'), 'volumes[0].hostPath.path', ['host-path']],
  ['node-folder', hostPath('/'), 'volumes[0].hostPath.path', ['host-path']],
  ['node-folder', hostPath('/etc/kubernetes/'), 'volumes[0].hostPath.path', ['host-path']],
  ['node-folder', hostPath('/opt/../proc'), 'volumes[0].hostPath.path', ['host-path']],
  ['node-folder', hostPath('/var/lib/kubelet/pods'), 'volumes[0].hostPath.path', ['host-path']],
  [
    'mount-propagation',
    app((c) => (c.volumeMounts = [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }])),
    'containers[0].volumeMounts[0].mountPropagation',
  ],
  ['secret-in-env', app((c) => c.env.push({ name: 'DB_PASSWORD', value: 'tr0ub4dor&3x' })), 'containers[0].env[1].value'],
  ['secret-in-arguments', app((c) => c.args.push('--password=tr0ub4dor&3x')), 'containers[0].args[2]'],
  ['secret-in-arguments', app((c) => (c.command = ['run', '--token', 'tr0ub4dor3xhj28dk2'])), 'containers[0].command[2]'],
  [
    'secret-as-env',
    app((c) => c.env.push({ name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } })),
    'containers[0].env[1].valueFrom.secretKeyRef',
  ],
  ['host-aliases', spec((one) => (one.hostAliases = [{ ip: '10.0.0.1', hostnames: ['bank.example'] }])), 'hostAliases'],
  ['shared-processes', spec((one) => (one.shareProcessNamespace = true)), 'shareProcessNamespace'],
  ['default-namespace', { ...good(), metadata: { name: 'web', namespace: 'default' } }, 'metadata.namespace'],
  ['host-namespaces', spec((one) => (one.hostPID = true)), 'hostPID'],
  ['privileged', app((c) => Object.assign(c.securityContext, { privileged: true })), 'containers[0].securityContext.privileged'],
  ['host-ports', app((c) => (c.ports[0].hostPort = 80)), 'containers[0].ports[0].hostPort'],
  ['seccomp', app((c) => (c.securityContext.seccompProfile = { type: 'Unconfined' })), 'containers[0].securityContext.seccompProfile.type'],
  ['volume-types', spec((one) => (one.volumes = [{ name: 'v', nfs: { server: 's', path: '/' } }])), 'volumes[0].nfs'],
  ['run-as-user', app((c) => (c.securityContext.runAsUser = 0)), 'containers[0].securityContext.runAsUser'],
  [
    'host-process',
    spec((one) => (one.securityContext.windowsOptions = { hostProcess: true })),
    'securityContext.windowsOptions.hostProcess',
  ],
  ['host-namespaces', spec((one) => (one.hostIPC = true)), 'hostIPC'],
  [
    'capabilities',
    app((c) => (c.securityContext.capabilities.add = ['NET_RAW', 'NET_BIND_SERVICE'])),
    'containers[0].securityContext.capabilities.add',
  ],
  [
    'capabilities-restricted',
    app((c) => (c.securityContext.capabilities.drop = ['NET_RAW'])),
    'containers[0].securityContext.capabilities.drop',
  ],
  [
    'capabilities-restricted',
    app((c) => (c.securityContext.capabilities.add = ['CHOWN'])),
    'containers[0].securityContext.capabilities.add',
  ],
  ['host-path', hostPath('/opt/data'), 'volumes[0].hostPath'],
  ['host-probes', app((c) => (c.livenessProbe.httpGet.host = '127.0.0.1')), 'containers[0].livenessProbe.httpGet.host'],
  [
    'app-armor',
    app((c) => (c.securityContext.appArmorProfile = { type: 'Unconfined' })),
    'containers[0].securityContext.appArmorProfile.type',
  ],
  ['se-linux', app((c) => (c.securityContext.seLinuxOptions = { type: 'spc_t' })), 'containers[0].securityContext.seLinuxOptions.type'],
  ['proc-mount', app((c) => (c.securityContext.procMount = 'Unmasked')), 'containers[0].securityContext.procMount'],
  [
    'proc-mount-restricted',
    spec((one) => Object.assign(one, { hostUsers: false }) && (one.containers[0].securityContext.procMount = 'Unmasked')),
    'containers[0].securityContext.procMount',
  ],
  ['seccomp-restricted', spec((one) => delete one.securityContext.seccompProfile), 'containers[0].securityContext.seccompProfile'],
  ['sysctls', spec((one) => (one.securityContext.sysctls = [{ name: 'kernel.msgmax', value: '65536' }])), 'securityContext.sysctls[0]'],
  [
    'privilege-escalation',
    app((c) => delete c.securityContext.allowPrivilegeEscalation),
    'containers[0].securityContext.allowPrivilegeEscalation',
  ],
  ['run-as-non-root', spec((one) => delete one.securityContext.runAsNonRoot), 'containers[0].securityContext.runAsNonRoot'],
  [
    'node-port',
    service({
      type: 'NodePort',
      ports: [
        { name: 'http', port: 80 },
        { name: 'https', port: 443, nodePort: 30443 },
      ],
      externalTrafficPolicy: 'Local',
    }),
    'spec.type',
  ],
  ['external-ips', service({ externalIPs: ['8.8.8.8'], ports: [{ port: 80 }] }), 'spec.externalIPs'],
  ['load-balancer-sources', service({ type: 'LoadBalancer', ports: [{ port: 80 }] }), 'spec.loadBalancerSourceRanges'],
  ['removed-api', { ...good(), apiVersion: 'apps/v1beta2' }, 'apiVersion'],
  ['removed-api', { apiVersion: 'batch/v1beta1', kind: 'CronJob', metadata: { name: 'x' } }, 'apiVersion'],
  ['removed-api', { apiVersion: 'networking.k8s.io/v1beta1', kind: 'Ingress', metadata: { name: 'x' } }, 'apiVersion'],
  ['role-everything', role(rule('*', '*', '*')), 'rules[0]'],
  ['role-wildcard', role(rule('', 'configmaps', '*')), 'rules[0].verbs'],
  ['role-wildcard', role(rule('example.org', '*', 'get')), 'rules[0].resources'],
  ['role-secrets', role(rule('', 'pods', 'get'), rule('', 'configmaps,secrets', 'list')), 'rules[1]'],
  ['role-exec', role(rule('', 'pods/exec', 'create,get')), 'rules[0]'],
  ['role-exec', role({ ...rule('', 'pods/attach', 'create'), resourceNames: ['web'] }), 'rules[0]'],
  ['role-ephemeral-containers', role(rule('', 'pods,pods/ephemeralcontainers', 'patch')), 'rules[0]'],
  ['role-port-forward', role(rule('', 'pods/portforward', 'create')), 'rules[0]'],
  ['role-node-proxy', role(rule('', 'nodes/proxy', 'get')), 'rules[0]'],
  ['role-tokens', role(rule('', 'serviceaccounts/token', 'create')), 'rules[0]'],
  ['role-escalate', role(rule(RBAC, 'roles', 'get,update,escalate')), 'rules[0]'],
  ['role-bind', role(rule(RBAC, 'rolebindings', 'create'), rule(RBAC, 'clusterroles', 'bind')), 'rules[1]'],
  ['role-impersonate', role(rule('', 'users', 'impersonate')), 'rules[0]'],
  [
    'role-certificates',
    role(rule(CERTS, 'certificatesigningrequests/approval', 'update'), {
      ...rule(CERTS, 'signers', 'approve'),
      resourceNames: ['kubernetes.io/kube-apiserver-client'],
    }),
    'rules[0]',
  ],
  ['role-webhooks', role(rule('admissionregistration.k8s.io', 'mutatingwebhookconfigurations', 'get,patch')), 'rules[0]'],
  ['role-volumes', role(rule('', 'persistentvolumes', 'create,get')), 'rules[0]'],
  ['admin-binding', binding('cluster-admin', { kind: 'User', name: 'ann' }, { kind: 'Group', name: 'system:masters' }), 'subjects[0]'],
  ['anonymous-binding', binding('reader', { kind: 'Group', name: 'system:unauthenticated' }), 'subjects[0]'],
  ['everybody-binding', binding('reader', { kind: 'User', name: 'ann' }, { kind: 'Group', name: 'system:authenticated' }), 'subjects[1]'],
  [
    'missing-account',
    binding('reader', { kind: 'User', name: 'gone' }, { kind: 'ServiceAccount', name: 'gone', namespace: 'shop' }),
    'subjects[1]',
  ],
  ['unbound-role', { ...role(rule('', 'pods', 'get')), metadata: { name: 'unbound' } }, 'metadata.name'],
  ['unused-rights', { ...binding('reader', { kind: 'User', name: 'ann' }), metadata: { name: 'idle' } }, 'roleRef'],
  ['default-account-binding', binding('reader', { kind: 'ServiceAccount', name: 'default', namespace: 'shop' }), 'subjects[0]'],
];
