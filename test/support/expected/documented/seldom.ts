import { container, controller, type Documented, ended, homeless, loops, one, other, pod, rejected, runs, waits } from './documented.ts';

const web = { containers: [{ name: 'app', image: 'nginx' }] };
const waiting = pod('a', web, [container('app', waits('ContainerCreating'))]);
const claimed = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };

/** Rare failures, written by somebody who knew the rules. Each row has the sentence, the object, its events, label, culprit and log. */
const ROWS: [string, Documented['object'], NonNullable<Documented['events']>, string, RegExp, log?: string][] = [
  [
    'a proxy that wants a password',
    one(
      'a',
      waits(
        'ErrImagePull',
        'failed to pull and unpack image "quay.io/a/b:1": failed to do request: Head "https://quay.io/v2/a/b/manifests/1": proxyconnect tcp: dial tcp 10.0.0.1:3128: connect: connection refused',
      ),
      {
        image: 'quay.io/a/b:1',
      },
    ),
    [],
    'ImagePullBackOff',
    /quay\.io\/a\/b:1.*proxy/,
  ],
  [
    'a layer that arrives broken',
    one(
      'a',
      waits(
        'ErrImagePull',
        'failed to pull and unpack image "quay.io/a/b:1": failed to extract layer sha256:0a1b: unexpected EOF: archive/tar: invalid tar header',
      ),
      {
        image: 'quay.io/a/b:1',
      },
    ),
    [],
    'ImagePullBackOff',
    /quay\.io\/a\/b:1.*(?:layers|manifest)/,
  ],
  [
    'a program for another processor, by the word of the runtime',
    one(
      'a',
      loops(
        128,
        'StartError',
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec /server: exec format error: unknown',
      ),
    ),
    [],
    'StartError',
    /\/server|exec format error/,
  ],
  [
    'a volume that the node may not touch',
    waiting,
    [['FailedMount', 'MountVolume.SetUp failed for volume "data" : mkdir /mnt/shared/data: permission denied']],
    'FailedMount',
    /data/,
  ],
  [
    'a class of storage that is not there',
    homeless(
      'a',
      claimed,
      '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    ),
    [],
    'Unschedulable',
    /claim data/i,
  ],
  [
    'a claim whose way of access the disk has not',
    waiting,
    [
      [
        'FailedAttachVolume',
        'Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can\'t be attached to another',
      ],
    ],
    'FailedAttachVolume',
    /pvc-1/,
  ],
  [
    'a driver that refuses the way of access',
    waiting,
    [
      [
        'FailedMount',
        'MountVolume.SetUp failed for volume "pvc-2" : rpc error: code = InvalidArgument desc = Volume capability not supported: access mode MULTI_NODE_MULTI_WRITER is not supported by this driver',
      ],
    ],
    'FailedMount',
    /pvc-2/,
  ],
  [
    'a probe of a host that nobody knows',
    one('a', runs(), { readinessProbe: { httpGet: { host: 'helth.example.com', path: '/', port: 80 } } }),
    [
      [
        'Unhealthy',
        'Readiness probe failed: Get "http://helth.example.com:80/": dial tcp: lookup helth.example.com on 10.96.0.10:53: no such host',
      ],
    ],
    'Unhealthy',
    /readiness probe/,
  ],
  [
    'a sandbox image that cannot be had',
    waiting,
    [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox image "registry.k8s.io/pause:3.9": failed to pull image "registry.k8s.io/pause:3.9": dial tcp 34.96.108.209:443: i/o timeout',
      ],
    ],
    'FailedCreatePodSandBox',
    /pause:3\.9/,
  ],
  [
    'a sandbox whose name is taken',
    waiting,
    [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to reserve sandbox name "a_default_0": name "a_default_0" is reserved for "0a1b"',
      ],
    ],
    'FailedCreatePodSandBox',
    /reserved/,
  ],
  [
    'a node without process ids for a sandbox',
    waiting,
    [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start shim: fork/exec /usr/bin/containerd-shim-runc-v2: resource temporarily unavailable',
      ],
    ],
    'FailedCreatePodSandBox',
    /resource temporarily unavailable/,
  ],
  [
    'a sandbox that fails without a known word',
    waiting,
    [['FailedCreatePodSandBox', 'Failed to create pod sandbox: rpc error: code = Unknown desc = the moon is in the wrong house']],
    'FailedCreatePodSandBox',
    /moon/,
  ],
  ['a cluster without nodes', homeless('a', {}, 'no nodes available to schedule pods'), [], 'Unschedulable', /no nodes/i],
  [
    'a node that is named and not there',
    homeless('a', {}, "0/2 nodes are available: 2 node(s) didn't match the requested node name."),
    [],
    'Unschedulable',
    /node name|nodeName/i,
  ],
  [
    'a fault of C in a log',
    one('a', loops(139)),
    [],
    'CrashLoopBackOff',
    /[Ss]egmentation fault/,
    'starting\nSegmentation fault (core dumped)\n',
  ],
  [
    'a trace of Java that nobody knows',
    one('a', loops(1)),
    [],
    'CrashLoopBackOff',
    /IllegalStateException/,
    'Exception in thread "main" java.lang.IllegalStateException: the ledger is closed\n\tat com.acme.Main.main(Main.java:9)\n',
  ],
  [
    'an eviction that ended its container by force',
    rejected(
      'a',
      'Evicted',
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi. Container app was using 900Mi, request is 0, has larger consumption of memory. ',
      {},
      [container('app', ended(137))],
    ),
    [],
    'Evicted',
    /app.*memory|memory.*app/,
  ],
  [
    'a kill by a probe, not for memory',
    one(
      'a',
      { ...loops(137), restartCount: 3 },
      { livenessProbe: { httpGet: { path: '/healthz', port: 8080 } }, resources: { limits: { memory: '64Mi' } } },
    ),
    [
      ['Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 503'],
      ['Killing', 'Container app failed liveness probe, will be restarted', 'Normal'],
    ],
    'Unhealthy',
    /liveness probe GET \/healthz :8080/,
  ],
  [
    'a kill that nobody explains',
    one('a', loops(137), { resources: { limits: { memory: '64Mi' } } }),
    [],
    'CrashLoopBackOff',
    /exit code 137/,
  ],
  ['a container that docker could not run', one('a', loops(125)), [], 'CrashLoopBackOff', /exit code 125/],
  [
    'a claim of a class, named by the pod, that waits for its first pod',
    homeless('a', claimed, "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind."),
    [],
    'Unschedulable',
    /data|persistent volumes/,
  ],
  [
    'a DaemonSet whose service account is gone',
    controller('DaemonSet', 'a', { serviceAccountName: 'agnet', ...web }),
    [
      [
        'FailedCreate',
        'Error creating: pods "a-" is forbidden: error looking up service account default/agnet: serviceaccount "agnet" not found',
      ],
    ],
    'FailedCreate',
    /agnet/,
  ],
];

const others: Record<string, Documented['others']> = {
  'a class of storage that is not there': [
    other('PersistentVolumeClaim', 'data', { spec: { storageClassName: 'fast' }, status: { phase: 'Pending' } }),
  ],
};

/** The rows by their sentences. */
export const SELDOM: Record<string, Documented> = Object.fromEntries(
  ROWS.map(([sentence, object, events, reason, culprit, log]) => [
    sentence,
    {
      page: 'messages',
      object,
      events,
      ...(log ? { log } : {}),
      ...(others[sentence] ? { others: others[sentence] } : {}),
      is: { reason, culprit },
    },
  ]),
);
