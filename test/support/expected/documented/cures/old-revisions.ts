import type { ContainerStatus, KubeObject, Pod, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import { one, other, waits } from '../documented.ts';
import type { Changes, CureRow } from './cure.ts';
import { app, map, secret } from './rows.ts';

/** The failing pod of a controller. By now, the container in the controller's template has these fields. */
function of(
  kind: string,
  [status, spec]: [Partial<ContainerStatus>, Partial<PodSpec['containers'][0]>],
  now: Partial<PodSpec['containers'][0]>,
  row: Pick<CureRow, 'others' | 'is' | 'events'>,
): CureRow {
  const made = one('shop-1', status, spec);
  const labels = { app: 'shop' };
  const owner = { apiVersion: 'apps/v1', kind, name: 'shop', uid: 'uid-set', controller: true };
  const [container] = made.spec.containers;
  const set: KubeObject = other(kind, 'shop', {
    apiVersion: 'apps/v1',
    metadata: { name: 'shop', namespace: 'default', uid: 'uid-set' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { ...made.spec, containers: [{ ...container, ...now }] } },
    },
  });
  const object = { ...made, metadata: { ...made.metadata, labels, ownerReferences: [owner] } } as unknown as Pod;
  return { ...row, object, others: [...(row.others ?? []), set] };
}

const unpulled = (image: string): [Partial<ContainerStatus>, Partial<PodSpec['containers'][0]>] => [
  waits('ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: docker.io/library/${image}: not found`),
  { image },
];
const runs = (image: string): KubeObject =>
  one(
    'web',
    {
      ready: true,
      started: true,
      state: { running: { startedAt: '2026-01-02T10:00:00Z' } },
      imageID: `docker.io/library/${image}@sha256:1`,
    },
    { image },
  );
const variable = (name: string): Partial<PodSpec['containers'][0]> => ({
  env: [{ name: 'MODE', valueFrom: { configMapKeyRef: { name, key: 'mode' } } }],
});
const unfound: [Partial<ContainerStatus>, Partial<PodSpec['containers'][0]>] = [
  waits('CreateContainerConfigError', 'configmap "setings" not found'),
  variable('setings'),
];
const DELETED = /[Dd]elete the pod/;
const image = (to: string): Changes => ({ [`${app}.image`]: to });

/** Pods of an old revision whose template was corrected since. And keys that exist although the kubelet reports them as missing. */
export const OLD_REVISIONS: Record<string, CureRow> = {
  'a member of a StatefulSet whose image was corrected since': of(
    'StatefulSet',
    unpulled('nginx:1.99'),
    { image: 'nginx:1.27' },
    {
      others: [runs('nginx:1.27')],
      is: { reason: 'ImagePullBackOff', culprit: /nginx:1\.99/, best: null, says: DELETED },
    },
  ),
  'a member of a StatefulSet whose ConfigMap was corrected since': of('StatefulSet', unfound, variable('settings'), {
    others: [map('settings', 'mode')],
    is: { reason: 'CreateContainerConfigError', culprit: /ConfigMap setings/, best: null, says: DELETED },
  }),
  'a pod of a ReplicaSet whose image was corrected since': of(
    'ReplicaSet',
    unpulled('nginx:1.99'),
    { image: 'nginx:1.27' },
    {
      others: [runs('nginx:1.27')],
      is: { reason: 'ImagePullBackOff', culprit: /nginx:1\.99/, best: null, says: DELETED },
    },
  ),
  'a member of a StatefulSet that is as its template says': of(
    'StatefulSet',
    unpulled('nginx:1.99'),
    {},
    {
      others: [runs('nginx:1.27')],
      is: { reason: 'ImagePullBackOff', culprit: /nginx:1\.99/, best: image('nginx:1.27') },
    },
  ),
  'a template with another wrong image': of(
    'StatefulSet',
    unpulled('nginx:1.99'),
    { image: 'nginx:1.98' },
    {
      others: [runs('nginx:1.27')],
      is: { reason: 'ImagePullBackOff', culprit: /nginx:1\.99/, best: image('nginx:1.27') },
    },
  ),
  'a ConfigMap that has the key as bytes only': {
    object: one('shop', waits('CreateContainerConfigError', "couldn't find key licence.key in ConfigMap default/shop"), {
      env: [{ name: 'LICENCE', valueFrom: { configMapKeyRef: { name: 'shop', key: 'licence.key' } } }],
    }),
    others: [other('ConfigMap', 'shop', { data: { mode: 'x' }, binaryData: { 'licence.key': 'eA==' } })],
    is: { reason: 'CreateContainerConfigError', culprit: /key licence\.key in ConfigMap shop/, best: null, says: /binaryData/ },
  },
  'a Secret that has got the key since': {
    object: one('shop', waits('CreateContainerConfigError', "couldn't find key token in Secret default/shop"), {
      env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'shop', key: 'token' } } }],
    }),
    others: [secret('shop', 'token', 'tokens')],
    is: { reason: 'CreateContainerConfigError', culprit: /key token in Secret shop/, best: null, says: /has the key/ },
  },
};
