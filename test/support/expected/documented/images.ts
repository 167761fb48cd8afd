import { type Documented, one, other, waits } from './documented.ts';

const PAGE = 'concepts/containers/images';

/** A pod whose image cannot be pulled, with both the short and the long message of the kubelet. */
function pulling(image: string, error: string, is: { culprit: RegExp; fix?: string[] | null }, others?: Documented['others']): Documented {
  return {
    page: PAGE,
    object: one('puller', waits('ImagePullBackOff', `Back-off pulling image "${image}"`), { image }),
    events: [
      ['Pulling', `Pulling image "${image}"`, 'Normal'],
      ['Failed', `Failed to pull image "${image}": ${error}`],
      ['Failed', 'Error: ErrImagePull'],
      ['BackOff', `Back-off pulling image "${image}"`, 'Normal'],
      ['Failed', 'Error: ImagePullBackOff'],
    ],
    ...(others ? { others } : {}),
    is: { reason: 'ImagePullBackOff', ...is },
  };
}

const IMAGE = ['spec.containers[0].image'];

/** Images that cannot be pulled. */
export const IMAGES: Record<string, Documented> = {
  'a tag that is not there (Docker)': pulling(
    'nginx:1.999',
    'rpc error: code = Unknown desc = Error response from daemon: manifest for nginx:1.999 not found: manifest unknown: manifest unknown',
    { culprit: /nginx:1\.999/ },
  ),
  'a tag that is not there (containerd)': pulling(
    'nginx:1.161',
    'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.161": failed to resolve reference "docker.io/library/nginx:1.161": docker.io/library/nginx:1.161: not found',
    { culprit: /nginx:1\.161/, fix: IMAGE },
    [
      {
        ...one('peer', {}, { image: 'nginx:1.16.1' }),
        metadata: { name: 'peer', namespace: 'default', uid: 'uid-peer', deletionTimestamp: '2026-01-01T00:00:00Z' },
      },
    ],
  ),
  'a tag that is not there (CRI-O)': pulling(
    'quay.io/acme/web:v3',
    'initializing source docker://quay.io/acme/web:v3: reading manifest v3 in quay.io/acme/web: manifest unknown',
    { culprit: /quay\.io\/acme\/web:v3/ },
  ),
  'a repository that is not there or private': pulling(
    'my-private-registry.example.com/app:1',
    "rpc error: code = Unknown desc = Error response from daemon: pull access denied for my-private-registry.example.com/app, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    { culprit: /my-private-registry\.example\.com\/app:1/ },
  ),
  'credentials that are refused': pulling(
    'registry.example.com/team/app:1',
    'failed to pull and unpack image "registry.example.com/team/app:1": failed to resolve reference "registry.example.com/team/app:1": failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://registry.example.com/token: 401 Unauthorized',
    { culprit: /registry\.example\.com/ },
  ),
  'too many pulls': pulling(
    'busybox:1.28',
    'rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/library/busybox:1.28": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/library/busybox/manifests/sha256:141c: 429 Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit',
    { culprit: /rate limit|docker\.io|busybox:1\.28/, fix: null },
  ),
  'a registry whose certificate nobody trusts': pulling(
    'registry.internal:5000/app:1',
    'rpc error: code = Unknown desc = failed to pull and unpack image "registry.internal:5000/app:1": failed to resolve reference "registry.internal:5000/app:1": failed to do request: Head "https://registry.internal:5000/v2/app/manifests/1": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    { culprit: /registry\.internal:5000|x509/, fix: null },
  ),
  'a registry whose certificate is out of date': pulling(
    'registry.internal/app:1',
    'pinging container registry registry.internal: Get "https://registry.internal/v2/": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2025-03-02T10:11:12Z is after 2025-02-28T23:59:59Z',
    { culprit: /registry\.internal|expired/, fix: null },
  ),
  'a registry that speaks no TLS': pulling(
    'localhost:5000/app:1',
    'failed to pull and unpack image "localhost:5000/app:1": failed to resolve reference "localhost:5000/app:1": failed to do request: Head "https://localhost:5000/v2/app/manifests/1": http: server gave HTTP response to HTTPS client',
    { culprit: /localhost:5000|HTTP response to HTTPS/, fix: null },
  ),
  'a registry that nobody knows': pulling(
    'k8s.gcr.example/pause:3.1',
    'failed to pull and unpack image "k8s.gcr.example/pause:3.1": failed to resolve reference "k8s.gcr.example/pause:3.1": failed to do request: Head "https://k8s.gcr.example/v2/pause/manifests/3.1": dial tcp: lookup k8s.gcr.example on 10.0.0.2:53: no such host',
    { culprit: /k8s\.gcr\.example/ },
  ),
  'a registry that does not answer': pulling(
    '10.9.8.7:5000/app:1',
    'failed to do request: Head "https://10.9.8.7:5000/v2/app/manifests/1": dial tcp 10.9.8.7:5000: i/o timeout',
    { culprit: /10\.9\.8\.7:5000/, fix: null },
  ),
  'an image for other processors only': pulling(
    'example.com/arm-only:1',
    'rpc error: code = NotFound desc = failed to pull and unpack image "example.com/arm-only:1": no match for platform in manifest: not found',
    { culprit: /arm-only:1|platform/ },
  ),
  'an image for no Windows': pulling(
    'nginx:1.27',
    'rpc error: code = Unknown desc = Error response from daemon: no matching manifest for windows/amd64 10.0.17763 in the manifest list entries',
    { culprit: /windows\/amd64|nginx:1\.27/ },
  ),
  'a full disk': pulling(
    'example.com/huge:1',
    'failed to pull and unpack image "example.com/huge:1": failed to extract layer sha256:4d83: write /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/7/fs/usr/bin/x: no space left on device: unknown',
    { culprit: /no space left|disk/i, fix: null },
  ),
  'a digest that is not there': pulling(
    'nginx@sha256:1ff6c18fbef2045af6b9c16bf034cc421a29027b800e4f9b68ae9b1cb3e9ae07',
    'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx@sha256:1ff6c18fbef2045af6b9c16bf034cc421a29027b800e4f9b68ae9b1cb3e9ae07": failed to resolve reference "docker.io/library/nginx@sha256:1ff6c18fbef2045af6b9c16bf034cc421a29027b800e4f9b68ae9b1cb3e9ae07": not found',
    { culprit: /nginx@sha256:1ff6/ },
  ),
  'a registry in trouble': pulling(
    'registry.example.com/app:2',
    'failed to pull and unpack image "registry.example.com/app:2": failed to resolve reference "registry.example.com/app:2": unexpected status from HEAD request to https://registry.example.com/v2/app/manifests/2: 503 Service Unavailable',
    { culprit: /registry\.example\.com|503/, fix: null },
  ),
  'a pull that is forbidden': {
    page: PAGE,
    object: one('never', waits('ErrImageNeverPull', 'Container image "my-local:dev" is not present with pull policy of Never'), {
      image: 'my-local:dev',
      imagePullPolicy: 'Never',
    }),
    is: { reason: 'ErrImageNeverPull', culprit: /my-local:dev/, fix: ['spec.containers[0].imagePullPolicy'] },
  },
  'a name that is none': {
    page: PAGE,
    object: one(
      'bad-name',
      waits(
        'InvalidImageName',
        'Failed to apply default image tag "nginx:latest:1": couldn\'t parse image name "nginx:latest:1": invalid reference format',
      ),
      {
        image: 'nginx:latest:1',
      },
    ),
    is: { reason: 'InvalidImageName', culprit: /nginx:latest:1/, fix: IMAGE },
  },
  'a pull secret that is not there': {
    page: 'tasks/configure-pod-container/pull-image-private-registry',
    object: one(
      'private-reg',
      waits('ImagePullBackOff', 'Back-off pulling image "registry.example.com/private:1"'),
      { image: 'registry.example.com/private:1' },
      { imagePullSecrets: [{ name: 'regcred' }] },
    ),
    events: [
      [
        'Failed',
        'Failed to pull image "registry.example.com/private:1": failed to pull and unpack image "registry.example.com/private:1": failed to resolve reference "registry.example.com/private:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
      ],
      [
        'FailedToRetrieveImagePullSecret',
        'Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.',
      ],
    ],
    others: [other('Secret', 'reg-cred', { type: 'kubernetes.io/dockerconfigjson' })],
    is: { reason: 'ImagePullBackOff', culprit: /regcred/ },
  },
};
