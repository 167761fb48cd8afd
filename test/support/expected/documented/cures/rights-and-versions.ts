import type { KubeObject, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import { loops, one, other } from '../documented.ts';
import type { Cure, CureRow } from './cure.ts';
import { app, crash, guess, likely } from './rows.ts';

type Is = Omit<Cure, 'reason'>;

const SA = { serviceAccountName: 'shop' };
const forbidden = (log: string, is: Is, pod: Partial<PodSpec> = SA): CureRow => crash(log, {}, is, [], pod);

const RIGHTS: Record<string, CureRow> = {
  'client-go, a right in its namespace': forbidden(
    'time=2026-11-23T09:14:02.301Z level=ERROR msg="cannot list cronjobs" err="cronjobs.batch is forbidden: User \\"system:serviceaccount:default:shop\\" cannot list resource \\"cronjobs\\" in API group \\"batch\\" in the namespace \\"default\\""\n',
    {
      culprit: /shop cannot list resource cronjobs/,
      best: null,
      says: /service account `shop`[^]*`list`[^]*`cronjobs`[^]*group `batch`[^]*namespace `default`[^]*RoleBinding/,
    },
  ),
  'client-go, a right for the whole cluster': forbidden(
    'E1123 09:14:02.118203       1 reflector.go:158] "Unhandled Error" err="k8s.io/client-go/informers/factory.go:160: Failed to watch *v1.Node: failed to list *v1.Node: nodes is forbidden: User \\"system:serviceaccount:default:shop\\" cannot list resource \\"nodes\\" in API group \\"\\" at the cluster scope"\nerror: timed out waiting for caches to sync\n',
    { culprit: /shop cannot list resource nodes/, best: null, says: /whole cluster[^]*ClusterRoleBinding/ },
  ),
  'fabric8, a right to get one object': forbidden(
    'io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: GET at: https://10.96.0.1/api/v1/namespaces/default/secrets/db. Message: secrets "db" is forbidden: User "system:serviceaccount:default:shop" cannot get resource "secrets" in API group "" in the namespace "default".\n',
    { culprit: /shop cannot get resource secrets/, best: null, says: /`get`[^]*`secrets`/ },
  ),
  'a right in another namespace': forbidden(
    'Error from server (Forbidden): pods is forbidden: User "system:serviceaccount:default:shop" cannot list resource "pods" in API group "" in the namespace "kube-system"\n',
    { culprit: /shop cannot list resource pods/, best: null, says: /namespace `kube-system`[^]*RoleBinding in `kube-system`/ },
  ),
  'a part of a resource': forbidden(
    '{"level":"error","msg":"leader election lost","error":"pods \\"shop-0\\" is forbidden: User \\"system:serviceaccount:default:shop\\" cannot patch resource \\"pods/status\\" in API group \\"\\" in the namespace \\"default\\""}\n',
    { culprit: /shop cannot patch resource pods\/status/, best: null, says: /pods\/status/ },
  ),
  'nobody: the request has no token': crash(
    'Error from server (Forbidden): configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"\n',
    {},
    { culprit: /system:anonymous/, best: { 'spec.automountServiceAccountToken': true }, ...likely, says: /token/ },
    [],
    { automountServiceAccountToken: false },
  ),
  'a user of a kubeconfig': crash(
    'Error from server (Forbidden): pods is forbidden: User "ci-deployer" cannot list resource "pods" in API group "" in the namespace "default"\n',
    {},
    { culprit: /ci-deployer cannot list resource pods/, best: null, says: /user `ci-deployer`/ },
  ),
  'a right that the account cannot give away': forbidden(
    'Error from server (Forbidden): roles.rbac.authorization.k8s.io "editor" is forbidden: user "system:serviceaccount:default:shop" (groups=["system:serviceaccounts"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}\n',
    { culprit: /not currently held|shop/, best: null },
  ),
  'an account that the pod does not name, with one that it means': crash(
    'Error from server (Forbidden): pods is forbidden: User "system:serviceaccount:default:default" cannot list resource "pods" in API group "" in the namespace "default"\n',
    {},
    { culprit: /default cannot list resource pods/, best: { 'spec.serviceAccountName': 'app' }, ...guess },
    [other('ServiceAccount', 'app'), other('ServiceAccount', 'default')],
  ),
  'an account called like the image, among others': crash(
    'panic: secrets is forbidden: User "system:serviceaccount:default:default" cannot list resource "secrets" in API group "" in the namespace "default"\n',
    { image: 'docker.io/example/sealed-secrets-controller:0.26.2' },
    { culprit: /secrets/, best: { 'spec.serviceAccountName': 'sealed-secrets-controller' }, ...guess },
    ['default', 'deployer', 'sealed-secrets-controller'].map((name) => other('ServiceAccount', name)),
  ),
  'a refusal of a server that is not Kubernetes': crash(
    'Error: 403 Forbidden: repository shop/web: push denied\n',
    {},
    { culprit: /403|Forbidden/, best: null, says: /^(?![^]*RoleBinding)/ },
  ),
};

const at = (minute: number) => `2026-06-01T00:${String(minute).padStart(2, '0')}:00Z`;

/** A StatefulSet whose newest revision crashes. The container's spec before and now. */
function updated(before: object, now: object, log: string, is: Is): CureRow {
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'shop', uid: 'uid-set', controller: true };
  const revision = (number: number, own: object): KubeObject =>
    ({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name: `shop-hash${number}`,
        namespace: 'default',
        uid: `r${number}`,
        creationTimestamp: at(number),
        ownerReferences: [owner],
      },
      revision: number,
      data: { spec: { template: { metadata: {}, spec: { containers: [{ name: 'app', ...own }] } } } },
    }) as KubeObject;
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'shop', namespace: 'default', uid: 'uid-set' },
    spec: { replicas: 1, template: { spec: { containers: [{ name: 'app', ...now }] } } },
    status: { replicas: 1, currentRevision: 'shop-hash1', updateRevision: 'shop-hash2' },
  } as KubeObject;
  const object = one('shop-0', loops(1), now);
  object.metadata = { ...object.metadata, ownerReferences: [owner], labels: { 'controller-revision-hash': 'shop-hash2' } };
  return { object, log, others: [set, revision(1, before), revision(2, now)], is: { reason: 'CrashLoopBackOff', ...is } };
}
const image = (tag: string) => ({ image: `registry.example.com/db:${tag}` });
const back = (tag: string) => ({ [`${app}.image`]: `registry.example.com/db:${tag}` });

const VERSIONS: Record<string, CureRow> = {
  'MySQL, an older version than wrote the data': updated(
    image('8.4.3'),
    image('8.0.36'),
    '2026-11-23T09:14:03.771203Z 1 [ERROR] [MY-014061] [Server] Invalid MySQL server downgrade: Cannot downgrade from 80403 to 80036. Downgrade is only permitted between patch releases.\n2026-11-23T09:14:03.772203Z 0 [ERROR] [MY-010020] [Server] Data Dictionary initialization failed.\n',
    { culprit: /downgrade/i, best: back('8.4.3'), ...likely, says: /data/ },
  ),
  'PostgreSQL, a newer major version than wrote the data': updated(
    image('15.4'),
    image('16.1'),
    'FATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 15, which is not compatible with this version 16.1.\n',
    { culprit: /15|incompatible/, best: back('15.4'), ...likely },
  ),
  'Gitea, a database of a newer release': updated(
    image('1.22.3'),
    image('1.21.0'),
    '2026/11/23 09:14:02 models/migrations/migrations.go:641:Migrate() [F] Migration Error: Your database (migration version: 299) is for a newer Gitea, you can not use the newer database for this old Gitea release (280).\n',
    { culprit: /newer Gitea|299/, best: back('1.22.3'), ...guess },
  ),
  'Nextcloud, data of a higher version': updated(
    image('29.0.1'),
    image('28.0.4'),
    "Can't start Nextcloud because the version of the data (29.0.1.1) is higher than the docker image version (28.0.4.1) and downgrading is not supported. Are you sure you have pulled the newest image version?\n",
    { culprit: /29\.0\.1\.1|higher/, best: back('29.0.1'), ...likely },
  ),
  'Elasticsearch, a node of a higher version': updated(
    image('8.15.0'),
    image('8.11.1'),
    'java.lang.IllegalStateException: cannot downgrade a node from version [8.15.0] to version [8.11.1]\n',
    { culprit: /8\.15\.0/, best: back('8.15.0'), ...likely },
  ),
  'CockroachDB, data of a newer version': updated(
    image('v23.2.4'),
    image('v23.1.11'),
    'ERROR: cockroach server exited with error: cockroach server running v23.1 is too old for data store with version v23.2; minimum supported: v23.2\n',
    { culprit: /too old|23\.2/, best: back('v23.2.4'), ...likely },
  ),
  'MongoDB, data of two versions before': updated(
    image('6.0.14'),
    image('8.0.3'),
    '{"t":{"$date":"2026-11-23T09:14:03.311+00:00"},"s":"F",  "c":"CONTROL",  "id":20573,   "ctx":"initandlisten","msg":"Wrong mongod version","attr":{"error":"UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document (ERROR: Location4926900: Invalid featureCompatibilityVersion document in admin.system.version: { _id: \\"featureCompatibilityVersion\\", version: \\"6.0\\" }. Expected features compatibility version to be in [7.0, 7.3, 8.0])."}}\n',
    { culprit: /6\.0/, best: back('6.0.14'), ...likely },
  ),
  'MySQL, whose version is a variable': updated(
    { ...image('1'), env: [{ name: 'MYSQL_VERSION', value: '8.4.03' }] },
    { ...image('1'), env: [{ name: 'MYSQL_VERSION', value: '8.0.36' }] },
    '[ERROR] [MY-014061] [Server] Invalid MySQL server downgrade: Cannot downgrade from 80403 to 8036. Downgrade is only permitted between patch releases.\n',
    { culprit: /downgrade/i, best: { [`${app}.env[0].value`]: '8.4.03' }, ...likely },
  ),
  'PostgreSQL, data of a version that the revision before was not': updated(
    image('14.2'),
    image('16.1'),
    'FATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 15, which is not compatible with this version 16.1.\n',
    { culprit: /15|incompatible/, best: null },
  ),
  'PostgreSQL, with the same version before': updated(
    { ...image('16.1'), args: ['-c', 'max_connections=100'] },
    { ...image('16.1'), args: ['-c', 'max_connections=200'] },
    'FATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 15, which is not compatible with this version 16.1.\n',
    { culprit: /15|incompatible/, best: { [`${app}.args[1]`]: 'max_connections=100' }, ...guess },
  ),
  'a program that only logs its version': updated(
    image('2.3.0'),
    image('2.4.0'),
    'shop 2.4.0, was 2.3.0 before\nError: LICENSE file is not valid\n',
    { culprit: /LICENSE/, best: back('2.3.0'), ...guess },
  ),
};

/** Rights that an account lacks, and data that another version wrote. */
export const RIGHTS_AND_VERSIONS: Record<string, CureRow> = { ...RIGHTS, ...VERSIONS };
