import { container, controller, type Documented, homeless, loops, one, pod, rejected, runs, waits } from './documented.ts';

/**
 * Messages of kubelets, runtimes, drivers and admission that the documentation does not have. Each row has the sentence, the object, its
 * events, its log, label and culprit.
 */
const ROWS: [string, Documented['object'], NonNullable<Documented['events']>, string | undefined, string, RegExp][] = [
  [
    'a subPath that is no file (crun)',
    one(
      'a',
      waits('CreateContainerError', 'container create failed: creating `/etc/app/conf.yaml`: openat2 `etc/app/conf.yaml`: Not a directory'),
      { volumeMounts: [{ name: 'c', mountPath: '/etc/app/conf.yaml', subPath: 'conf.yaml' }] },
    ),
    [],
    undefined,
    'CreateContainerError',
    /conf\.yaml/,
  ],
  [
    'a slip in a command (crun)',
    one(
      'a',
      waits('CreateContainerError', 'container create failed: executable file `gunicron` not found in $PATH: No such file or directory'),
      { command: ['gunicron'] },
    ),
    [],
    undefined,
    'CreateContainerError',
    /gunicron/,
  ],
  [
    'a script that may not be executed (Docker)',
    one(
      'a',
      loops(
        126,
        'ContainerCannotRun',
        'OCI runtime create failed: container_linux.go:380: starting container process caused: exec: "/start.sh": permission denied: unknown',
      ),
      { command: ['/start.sh'] },
    ),
    [],
    undefined,
    'StartError',
    /start\.sh/,
  ],
  [
    'an init container short of memory',
    pod(
      'a',
      {
        initContainers: [{ name: 'mig', image: 'm', resources: { limits: { memory: '32Mi' } } }],
        containers: [{ name: 'app', image: 'x' }],
      },
      [container('mig', loops(137, 'OOMKilled')), container('app', waits('PodInitializing'))],
    ),
    [],
    undefined,
    'OOMKilled',
    /32Mi/,
  ],
  [
    'no address left',
    one('a', waits('ContainerCreating')),
    [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "ab": plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container',
      ],
    ],
    undefined,
    'FailedCreatePodSandBox',
    /IP address|network|addresses/,
  ],
  [
    'a network plugin without rights',
    one('a', waits('ContainerCreating')),
    [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "ab": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized',
      ],
    ],
    undefined,
    'FailedCreatePodSandBox',
    /calico|Unauthorized/,
  ],
  [
    'a disk that is not attached in time',
    one('a', waits('ContainerCreating'), {}, { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'pgdata' } }] }),
    [
      [
        'FailedAttachVolume',
        'AttachVolume.Attach failed for volume "pvc-1" : timed out waiting for external-attacher of ebs.csi.aws.com CSI driver to attach volume vol-0a',
      ],
    ],
    undefined,
    'FailedAttachVolume',
    /ebs\.csi|pvc-1|vol-0a/,
  ],
  [
    'a file system that is broken',
    one('a', waits('ContainerCreating'), {}, { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'pgdata' } }] }),
    [
      [
        'FailedMount',
        'MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = \'fsck\' found errors on device /dev/sdb but could not correct them',
      ],
    ],
    undefined,
    'FailedMount',
    /pvc-1|fsck/,
  ],
  [
    'a driver that misses its own object',
    one(
      'a',
      waits('ContainerCreating'),
      {},
      { volumes: [{ name: 's', csi: { driver: 'secrets-store.csi.k8s.io', volumeAttributes: { secretProviderClass: 'vault-db' } } }] },
    ),
    [
      [
        'FailedMount',
        'MountVolume.SetUp failed for volume "s" : rpc error: code = Unknown desc = failed to get secretproviderclass default/vault-db, error: SecretProviderClass.secrets-store.csi.x-k8s.io "vault-db" not found',
      ],
    ],
    undefined,
    'FailedMount',
    /vault-db/,
  ],
  [
    'a startup command that takes too long',
    one('a', loops(137), { startupProbe: { exec: { command: ['/bin/check'] }, failureThreshold: 2 } }),
    [
      ['Unhealthy', 'Startup probe failed: command timed out: "/bin/check" timed out after 1s'],
      ['Killing', 'Container app failed startup probe, will be restarted', 'Normal'],
    ],
    undefined,
    'Unhealthy',
    /\/bin\/check/,
  ],
  [
    'a server that hangs up on its probe',
    one('a', runs(), { readinessProbe: { httpGet: { path: '/r', port: 80 } } }),
    [['Unhealthy', 'Readiness probe failed: Get "http://10.0.0.1:80/r": EOF']],
    undefined,
    'Unhealthy',
    /\/r|80/,
  ],
  [
    'a server that resets its probe',
    one('a', runs(), { readinessProbe: { httpGet: { path: '/r', port: 80 } } }),
    [['Unhealthy', 'Readiness probe failed: Get "http://10.0.0.1:80/r": read tcp 10.0.0.2:5->10.0.0.1:80: read: connection reset by peer']],
    undefined,
    'Unhealthy',
    /\/r|80/,
  ],
  [
    'a port that never answers',
    one('a', runs(), { readinessProbe: { tcpSocket: { port: 5432 } } }),
    [['Unhealthy', 'Readiness probe failed: dial tcp 10.0.0.1:5432: i/o timeout']],
    undefined,
    'Unhealthy',
    /5432/,
  ],
  [
    'a hook that nobody answers',
    one(
      'a',
      {
        restartCount: 1,
        ...waits(
          'PostStartHookError',
          'HTTP lifecycle hook (/reg) for Container "app" in Pod "a_default(1)" failed - error: Get "http://10.1.1.1:8080/reg": dial tcp 10.1.1.1:8080: connect: connection refused, message: ""',
        ),
      },
      { lifecycle: { postStart: { httpGet: { path: '/reg', port: 8080 } } } },
    ),
    [],
    undefined,
    'PostStartHookError',
    /\/reg|8080/,
  ],
  [
    'a node that goes down',
    rejected('a', 'Terminated', 'Pod was terminated in response to imminent node shutdown.'),
    [],
    undefined,
    'Terminated',
    /node|shutdown/,
  ],
  [
    'a node that takes nobody any more',
    rejected('a', 'NodeShutdown', 'Pod was rejected: Pod was rejected as the node is shutting down.'),
    [],
    undefined,
    'NodeShutdown',
    /node|shutting/,
  ],
  [
    'a node full of pods',
    rejected('a', 'OutOfpods', "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 110, capacity: 110"),
    [],
    undefined,
    'OutOfpods',
    /pods/,
  ],
  [
    'a taint that came later',
    rejected(
      'a',
      'NodeUnschedulable',
      'Pod was rejected: Predicate TaintToleration failed: node(s) had untolerated taint {dedicated: gpu}',
    ),
    [],
    undefined,
    'NodeUnschedulable',
    /dedicated|taint/i,
  ],
  [
    'a volume that is not bound in time',
    homeless(
      'a',
      { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c1' } }] },
      'running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition',
    ),
    [['FailedScheduling', 'running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition']],
    undefined,
    'Unschedulable',
    /c1|VolumeBinding/,
  ],
  [
    'a volume of no zone',
    homeless(
      'a',
      { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c1' } }] },
      '0/6 nodes are available: 3 node(s) had untolerated taint {node-role.kubernetes.io/master: }, 3 node(s) had no available volume zone.',
    ),
    [],
    undefined,
    'Unschedulable',
    /volume|c1/,
  ],
  [
    'no room even without others',
    homeless(
      'a',
      { containers: [{ name: 'app', image: 'x', resources: { requests: { memory: '6Gi' } } }] },
      '0/3 nodes are available: 3 Insufficient memory. preemption: 0/3 nodes are available: 3 Insufficient memory.',
    ),
    [],
    undefined,
    'Unschedulable',
    /memory/,
  ],
  [
    'a pull that takes too long',
    one(
      'a',
      waits(
        'ErrImagePull',
        'rpc error: code = DeadlineExceeded desc = failed to pull and unpack image "docker.io/acme/big:1": context deadline exceeded',
      ),
      { image: 'acme/big:1' },
    ),
    [],
    undefined,
    'ImagePullBackOff',
    /acme\/big:1/,
  ],
  [
    'an image of a form that is gone',
    one(
      'a',
      waits(
        'ErrImagePull',
        'failed to pull and unpack image "r.io/old:1": media type "application/vnd.docker.distribution.manifest.v1+prettyjws" is no longer supported since containerd v2.1, please rebuild the image as "application/vnd.docker.distribution.manifest.v2+json"',
      ),
      { image: 'r.io/old:1' },
    ),
    [],
    undefined,
    'ImagePullBackOff',
    /r\.io\/old:1/,
  ],
  [
    'credentials that are wrong',
    one('a', waits('ErrImagePull', 'unable to retrieve auth token: invalid username/password: unauthorized: authentication required'), {
      image: 'quay.io/t/a:1',
    }),
    [],
    undefined,
    'ImagePullBackOff',
    /quay\.io\/t\/a:1/,
  ],
  [
    'a signature that is missing',
    one(
      'a',
      waits(
        'SignatureValidationFailed',
        'image pull failed for quay.io/t/a:1 because the signature validation failed: Source image rejected: A signature was required, but no signature exists',
      ),
      { image: 'quay.io/t/a:1' },
    ),
    [],
    undefined,
    'ImagePullBackOff',
    /quay\.io\/t\/a:1/,
  ],
  [
    'a short name that nobody resolves',
    one(
      'a',
      waits(
        'ImageInspectError',
        'Failed to inspect image "a:1": rpc error: code = Unknown desc = short-name "a:1" did not resolve to an alias and no unqualified-search registries are defined in "/etc/containers/registries.conf"',
      ),
      { image: 'a:1' },
    ),
    [],
    undefined,
    'ImageInspectError',
    /a:1/,
  ],
  [
    'requests above limits',
    controller('StatefulSet', 's', { containers: [{ name: 'app', image: 'x' }] }),
    [
      [
        'FailedCreate',
        'create Pod s-0 in StatefulSet s failed error: Pod "s-0" is invalid: spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
      ],
    ],
    undefined,
    'FailedCreate',
    /requests|cpu limit/,
  ],
  [
    'a policy engine',
    controller('ReplicaSet', 's', { containers: [{ name: 'app', image: 'x' }] }),
    [
      [
        'FailedCreate',
        'Error creating: admission webhook "validate.kyverno.svc-fail" denied the request: resource Pod/default/ was blocked due to the following policies disallow-latest-tag: require-image-tag: validation error: An image tag is required.',
      ],
    ],
    undefined,
    'FailedCreate',
    /disallow-latest-tag|kyverno/,
  ],
  [
    'a ratio that is too high',
    controller('ReplicaSet', 's', {
      containers: [{ name: 'app', image: 'x', resources: { limits: { cpu: '4' }, requests: { cpu: '1' } } }],
    }),
    [
      [
        'FailedCreate',
        'Error creating: pods "s-x" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000',
      ],
    ],
    undefined,
    'FailedCreate',
    /ratio/,
  ],
  [
    'two limits at once',
    controller('ReplicaSet', 's', { containers: [{ name: 'app', image: 'x', resources: { limits: { cpu: '4', memory: '8Gi' } } }] }),
    [
      [
        'FailedCreate',
        'Error creating: pods "s-x" is forbidden: [maximum cpu usage per Container is 2, but limit is 4, maximum memory usage per Container is 2Gi, but limit is 8Gi]',
      ],
    ],
    undefined,
    'FailedCreate',
    /cpu|memory/,
  ],
  [
    'indexes that failed',
    controller(
      'Job',
      'j',
      { restartPolicy: 'Never', containers: [{ name: 'app', image: 'x' }] },
      {
        status: { failed: 1, conditions: [{ type: 'Failed', status: 'True', reason: 'FailedIndexes', message: 'Job has failed indexes' }] },
      },
    ),
    [],
    undefined,
    'FailedIndexes',
    /indexes/i,
  ],
  [
    'a shell that misses a program',
    one('a', loops(127), { command: ['sh', '-c', 'nodemon server.js'] }),
    [],
    'sh: nodemon: not found\n',
    'CrashLoopBackOff',
    /nodemon/,
  ],
  ['a program that was asked to end', one('a', loops(143)), [], 'received SIGTERM, shutting down\n', 'CrashLoopBackOff', /143|SIGTERM/],
  ['an access violation of Windows', one('a', loops(3221225477)), [], undefined, 'CrashLoopBackOff', /3221225477|0xC0000005/i],
  [
    'the second of two containers',
    pod(
      'a',
      {
        containers: [
          { name: 'web', image: 'x' },
          { name: 'cache', image: 'y' },
        ],
      },
      [container('web', runs({ ready: true })), container('cache', loops(1))],
    ),
    [],
    "Fatal error, can't open config file '/etc/redis.conf': No such file or directory\n",
    'CrashLoopBackOff',
    /redis\.conf/,
  ],
];

/** The rows by their sentences. */
export const MESSAGES: Record<string, Documented> = Object.fromEntries(
  ROWS.map(([sentence, object, events, log, reason, culprit]) => [
    sentence,
    { page: 'messages', object, events, ...(log ? { log } : {}), is: { reason, culprit } },
  ]),
);
