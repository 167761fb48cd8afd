import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maskShapes } from '../../src/redact/shapes.ts';
import { maskText } from '../../src/redact/text.ts';

// Messages of kubelets, schedulers, controllers and runtimes about objects. Names of volumes, Secrets and keys are not secret, whatever
// they look like. Without them, nobody can say what is missing.

const NAMES = (
  'tls-secret token credentials api-key db-password secrets secret password passwords auth certs tls-certs jwt-keys access-token bearer-token basic-auth cookie-secret ' +
  'ssh-key private-key signing-key encryption-key vault-token aws-credentials registry-credentials dockerconfigjson db-creds oauth-client-secret session-secret pgpass ' +
  'token-x7k2p default-token-abc12 kube-api-access-9x2lm'
).split(' ');

/** Messages of Kubernetes 1.31 to 1.34 and containerd. N is a name. */
const SENTENCES = [
  'MountVolume.SetUp failed for volume "N" : secret "N" not found',
  'MountVolume.SetUp failed for volume "N" : configmap "N" not found',
  'MountVolume.SetUp failed for volume "N" : references non-existent secret key: N',
  'MountVolume.SetUp failed for volume "N" : references non-existent config key: N',
  'MountVolume.SetUp failed for volume "N" : failed to sync secret cache: timed out waiting for the condition',
  'MountVolume.SetUp failed for volume "N" : object "shop"/"N" not registered',
  'MountVolume.SetUp failed for volume "N" : failed to fetch token: serviceaccounts "N" not found',
  'MountVolume.SetUp failed for volume "N" : failed to fetch token: pods "N" is forbidden: node requested token bound to a pod scheduled on a different node',
  'MountVolume.SetUp failed for volume "N" : [failed to fetch token: no service account, configmap "N" not found]',
  'MountVolume.SetUp failed for volume "N" : hostPath type check failed: /etc/N is not a directory',
  'MountVolume.SetUp failed for volume "N" : rpc error: code = Unknown desc = failed to mount secrets store objects for pod shop/N, err: secret N not found',
  'MountVolume.NewMounter initialization failed for volume "N" : path "/data/N" does not exist',
  'AttachVolume.Attach failed for volume "N" : volume attachment is being deleted',
  'Unable to attach or mount volumes: unmounted volumes=[N], unattached volumes=[N kube-api-access-abcde]: timed out waiting for the condition',
  'Unable to attach or mount volumes: unmounted volumes=[N], unattached volumes=[], failed to process volumes=[N]: failed to get Plugin from volumeSpec for volume "N"',
  'Error: secret "N" not found',
  'Error: configmap "N" not found',
  "Error: couldn't find key N in Secret shop/N",
  "Error: couldn't find key N in ConfigMap shop/N",
  'couldn\'t get secret shop/N: secrets "N" not found',
  'Error: failed to prepare subPath for volumeMount "N" of container "N"',
  'Unable to retrieve some image pull secrets (N); attempting to pull the image may not succeed.',
  'FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (N, web); attempting to pull the image may not succeed.',
  'Error creating: pods "N-" is forbidden: error looking up service account shop/N: serviceaccount "N" not found',
  'error looking up service account shop/N: serviceaccount "N" not found',
  'pods "N" is forbidden: exceeded quota: N, requested: secrets=1, used: secrets=10, limited: secrets=10',
  'persistentvolumeclaim "N" not found',
  '0/1 nodes are available: persistentvolumeclaim "N" not found. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
  'Back-off restarting failed container N in pod N_shop(86d0b1ae-7dd9-4702-b020-c5f0d545a163)',
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error mounting "/var/lib/kubelet/pods/86d0b1ae/volumes/kubernetes.io~secret/N" to rootfs at "/run/N": mkdir /run/N: read-only file system',
  'Failed to pull image "registry.example/N:1": failed to resolve reference "registry.example/N:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
  'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "N"',
  'Deployment.apps "N" is invalid: spec.template.spec.volumes[0].secret.secretName: Required value',
  'admission webhook "N.shop.example" denied the request: secret N is not allowed',
  'container N is waiting to start: CreateContainerConfigError',
  'unable to ensure pod container exists: failed to create container for [kubepods besteffort pod86d0b1ae] : N',
  'Readiness probe failed: cat: /run/N: No such file or directory',
  'secret/N unchanged, serviceaccount/N created, configmap/N configured',
  'open /var/run/secrets/N: no such file or directory',
  'stat /etc/N/token: permission denied',
];

const sentences = suite('the sentences of Kubernetes');
for (const name of NAMES)
  sentences(`stay whole with an object called ${name}`, () => {
    for (const sentence of SENTENCES) {
      const text = sentence.replaceAll('N', (found, at: number) => (/[A-Za-z]/.test(sentence.charAt(at + 1)) ? found : name));
      assert.is(maskText(text), text);
      assert.is(maskShapes(text), text);
    }
  });
sentences.run();
