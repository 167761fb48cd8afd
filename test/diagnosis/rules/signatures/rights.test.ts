import { suite } from 'uvu';
import { rightsSignatures } from '../../../../src/diagnosis/rules/signatures/rights.ts';
import { teamToolSignatures } from '../../../../src/diagnosis/rules/signatures/tools-of-teams.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about rights, Jenkins, Grafana and git');

const audience = (log: string, more: LogRow[3] = {}): LogRow => [
  log,
  `audience: ${log}`,
  'the server expects a token for another audience',
  { advice: 'Give the projected token the audience', where: "the token's `audience`", corrections: [], ...more },
];
const token = (own: string) => ({
  container: { volumeMounts: [{ name: 'token', mountPath: '/t' }] },
  spec: { volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: { audience: own } }] } }] },
});
const OF_TOKEN = 'spec.volumes[0].projected.sources[0].serviceAccountToken.audience';
const accounts = (...serviceAccounts: string[]) => ({ surroundings: { serviceAccounts } }) as { surroundings: object };
const ACCOUNT = 'system:serviceaccount:shop:default';
const cannot = (rest: string, who = ACCOUNT) => `pods is forbidden: User "${who}" cannot ${rest}`;
const asks = (type: string, verb = 'list', where = ' -n shop', who = ACCOUNT) => [
  `kubectl auth can-i ${verb} ${type} --as=${who}${where}`,
  `kubectl get ${where ? 'rolebindings,' : ''}clusterrolebindings -o wide${where}`,
];

logRows(test, rightsSignatures, {
  'token-audience': [
    audience('invalid audience (aud) claim'),
    audience('wrong token audience'),
    audience('unexpected audiences'),
    audience('unknown audience'),
    audience('bad audience'),
    audience('audience claim does not match any expected audience'),
    audience('audience mismatch'),
    audience('audience is invalid'),
    audience('the audience is not allowed'),
    audience('audience "a" is not what I want: not match'),
    audience('audience ["a"] unexpected'),
    audience('token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences'),
    audience('failed: (aud) invalid audience'),
    [
      'vault: invalid audience (aud) claim',
      'audience api',
      'its token is made for the audience `api`, and the server expects another',
      { ...token('api'), corrections: guess({ [OF_TOKEN]: 'vault' }) },
    ],
    ['invalid audience, expected "shop"', 'audience api', '`api`', { ...token('api'), corrections: likely({ [OF_TOKEN]: 'shop' }) }],
  ],
  'vault-account': [
    [
      '* service account name not authorized',
      'service account default: service account name not authorized by the role in Vault',
      'does not let the service account name of the pod log in (account `default` of namespace `shop`)',
      {
        parts: accounts('vault-reader'),
        advice: 'Run the pod as the account that the role names',
        where: 'the role in Vault',
        corrections: guess({ 'spec.serviceAccountName': 'vault-reader' }),
      },
    ],
    [
      '* namespace not authorized',
      'service account web: namespace not authorized by the role in Vault',
      'does not let the namespace of the pod log in (account `web`',
      { spec: { serviceAccountName: 'web' }, corrections: [] },
    ],
    [
      '* namespace not authorized',
      'service account default: namespace not authorized by the role in Vault',
      '',
      { parts: accounts('a'), corrections: [] },
    ],
  ],
  'kubernetes-right': [
    [
      cannot('list resource "pods" in API group "" in the namespace "shop"'),
      `${ACCOUNT} cannot list resource pods`,
      'its service account `default` is not allowed to `list` `pods` in namespace `shop`',
      {
        parts: accounts('web'),
        advice:
          'a Role with the verb `list` for `pods`, and a RoleBinding in `shop` for the ServiceAccount `default` of namespace `shop`. If both',
        where: 'the bindings of this account',
        commands: asks('pods'),
        corrections: guess({ 'spec.serviceAccountName': 'web' }),
      },
    ],
    [
      cannot('get resource "deployments/scale" in API group "apps" at the cluster scope', 'system:serviceaccount:ci:runner'),
      'system:serviceaccount:ci:runner cannot get resource deployments/scale',
      'the service account `runner` is not allowed to `get` `deployments/scale` of the API group `apps` in the whole cluster',
      {
        parts: accounts('web'),
        advice:
          'a ClusterRole with the verb `get` for `deployments/scale`, and a ClusterRoleBinding for the ServiceAccount `runner` of namespace `ci`',
        commands: asks('deployments.apps/scale', 'get', '', 'system:serviceaccount:ci:runner'),
        corrections: [],
      },
    ],
    [
      'cannot list resource "pods" in API group ""',
      'cannot list resource pods',
      'its service account is not allowed to `list` `pods` in the whole cluster',
      { advice: 'for the ServiceAccount of the pod', commands: asks('pods', 'list', '') },
    ],
    [
      cannot('list resource "pods"', 'jane'),
      'jane cannot list resource pods',
      'its user `jane` is not allowed to `list`',
      { advice: 'for the user `jane`', commands: asks('pods', 'list', '', 'jane') },
    ],
    [
      cannot('list resource "pods"', 'system:anonymous'),
      'system:anonymous cannot list resource pods',
      'it shows no token and is not allowed to `list` `pods`',
      {
        advice: 'Mount the token of the service account',
        spec: { automountServiceAccountToken: false },
        corrections: likely({ 'spec.automountServiceAccountToken': true }),
      },
    ],
    [
      '{"msg":"User \\"jane\\" cannot list resource \\"pods\\" in API group \\"\\" in the namespace \\"shop\\""}',
      'jane cannot list resource pods',
      'its user `jane` is not allowed to `list` `pods` in namespace `shop`',
    ],
    [
      cannot('list resource "pods" in API group "" in the namespace "prod"'),
      `${ACCOUNT} cannot list resource pods in namespace prod`,
      'in namespace `prod`',
      {
        container: env({ WATCH_NAMESPACE: 'prod', OTHER: 'prod' }),
        commands: asks('pods', 'list', ' -n prod'),
        corrections: guess({ 'env[0].value': 'shop' }),
        mirrorable: true,
      },
    ],
    [
      cannot('list resource "pods" in API group "" in the namespace "prod"'),
      `${ACCOUNT} cannot list resource pods in namespace prod`,
      'in namespace `prod`',
      { container: env({ A_NAMESPACE: 'prod', B_NAMESPACE: 'prod' }), corrections: [] },
    ],
    [
      cannot('list resource "pods" in API group "" in the namespace "shop"'),
      `${ACCOUNT} cannot list resource pods`,
      'in namespace `shop`',
      { container: env({ A_NAMESPACE: 'shop' }), corrections: [] },
    ],
  ],
  'kubernetes-right-given': [
    [
      'roles.rbac.authorization.k8s.io "x" is forbidden: user "system:serviceaccount:shop:op" (groups=["a"]) is attempting to grant RBAC permissions not currently held:',
      'roles.rbac.authorization.k8s.io "x" is forbidden: user "system:serviceaccount:shop:op" (groups=["a"]) is attempting to grant RBAC permissions not currently held',
      'the account `system:serviceaccount:shop:op` wants to give a right that it does not have itself',
      { advice: 'the verb `escalate`', where: 'the bindings of this account' },
    ],
  ],
});

const git = (log: string, culprit: string, because: string, advice: string): LogRow => [
  log,
  culprit,
  because,
  { advice, where: 'the Secret with the credentials' },
];
const BRANCH = ['branch main2', 'the repository has no branch or tag `main2`', 'Correct the branch'] as const;
const ADDRESS = 'Correct the address';
const services = (...all: object[]) => ({ surroundings: { services: all } }) as { surroundings: object };

logRows(test, teamToolSignatures, {
  'jenkins-agent-port': [
    [
      'java.io.IOException: http://jenkins:8080/ provided port:50000 is not reachable on host jenkins-agents',
      'jenkins-agents:50000 (JENKINS_TUNNEL)',
      'nothing at `jenkins-agents` answers on port `50000`',
      {
        parts: services({ name: 'jenkins', ports: [8080] }, { name: 'jenkins-agent', ports: [50_000] }),
        advice: 'Give the Service of Jenkins this port',
        where: 'the Services of Jenkins',
        corrections: likely({ env: [{ name: 'JENKINS_TUNNEL', value: 'jenkins-agent:50000' }] }),
        mirrorable: true,
      },
    ],
    [
      'http://jenkins:8080/ provided port:50000 is not reachable',
      'jenkins:50000 (JENKINS_TUNNEL)',
      'nothing at `jenkins` answers',
      { parts: services({ name: 'a', ports: [50_000] }, { name: 'b', ports: [50_000] }), corrections: [] },
    ],
    ['provided port:50000 is not reachable', 'Jenkins:50000 (JENKINS_TUNNEL)', 'nothing at `Jenkins`', { corrections: [] }],
  ],
  'grafana-defaults': [
    [
      'Error: Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default',
      'isDefault: only one datasource can be marked as default',
      'more than one data source says `isDefault: true`',
      {
        container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/grafana/provisioning' }] },
        spec: { volumes: [{ name: 'conf', configMap: { name: 'sources' } }] },
        advice: 'set it to `false` on the others. Its mounted configuration comes from ConfigMap `sources`.',
        where: 'the files of the data sources',
      },
    ],
  ],
  'migration-dirty': [
    [
      'error: Dirty database version 12. Fix and force version.',
      'dirty database version 12',
      'an earlier migration to version `12` broke off',
      { advice: 'Repair what the migration left', where: '`schema_migrations`' },
    ],
    ['dirty database version 3', 'dirty database version 3', '`3`'],
  ],
  git: [
    git('fatal: Remote branch main2 not found in upstream origin', ...BRANCH),
    git("fatal: couldn't find remote ref main2", ...BRANCH),
    git(
      "fatal: repository 'https://git.shop/a.git/' not found",
      'https://git.shop/a.git/',
      'there is no repository `https://git.shop/a.git/`',
      ADDRESS,
    ),
    git("remote: Repository not found.\nfatal: repository '/srv/a' does not exist", '/srv/a', 'there is no repository `/srv/a`', ADDRESS),
    git(
      "fatal: could not read Username for 'https://git.shop': terminal prompts disabled",
      'https://git.shop',
      '`https://git.shop` wants a login',
      ADDRESS,
    ),
    git("fatal: could not read Password for 'https://a@git.shop': No such device", 'https://a@git.shop', 'wants a login', ADDRESS),
    git(
      'Host key verification failed.\nfatal: Could not read from remote repository.',
      'host key (known_hosts)',
      'it does not know the host key of the git server',
      'Mount a `known_hosts` file',
    ),
    git('git@git.shop: Permission denied (publickey).', 'SSH key', 'the git server does not accept its SSH key', ADDRESS),
  ],
});
otherLogs(test, {
  'token-audience': ['the audience is here', 'audience of 30'],
  'kubernetes-right': ['cannot list the resource "pods"'],
  'grafana-defaults': ['datasource x can be marked as default'],
});

test.run();
