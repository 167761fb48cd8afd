import {
  container,
  controller,
  type Documented,
  ended,
  homeless,
  loops,
  node,
  one,
  other,
  pod,
  rejected,
  runs,
  waits,
} from './documented.ts';

// Clusters unlike the usual one: other versions, runtimes, operating systems and drivers. Written before anybody asked a rule about them.

const web = { containers: [{ name: 'app', image: 'nginx' }] };
const told = (object: Documented['object'], reason: string, culprit: RegExp, more: Partial<Documented> = {}): Documented => ({
  page: 'clusters',
  object,
  ...more,
  is: { reason, culprit },
});

/** Messages of other kubelets, runtimes, schedulers and drivers. */
export const ELSEWHERE: Record<string, Documented> = {
  'CRI-O: a name that is too short': told(
    one(
      'a',
      waits(
        'ImageInspectError',
        'Failed to inspect image "shop:1": rpc error: code = Unknown desc = short-name "shop:1" did not resolve to an alias and no unqualified-search registries are defined in "/etc/containers/registries.conf"',
      ),
      { image: 'shop:1' },
    ),
    'ImageInspectError',
    /shop:1/,
  ),
  'CRI-O: a program that is not in the image': told(
    one(
      'a',
      waits(
        'CreateContainerError',
        'container create failed: time="2025-05-01T10:00:00Z" level=error msg="runc create failed: unable to start container process: exec: \\"/bin/serve\\": stat /bin/serve: no such file or directory"',
      ),
      { command: ['/bin/serve'] },
    ),
    'CreateContainerError',
    /\/bin\/serve/,
  ),
  'Kubernetes 1.30, CRI-O: a tag that is not there': told(
    one(
      'a',
      waits(
        'ImagePullBackOff',
        'Back-off pulling image "quay.io/acme/shop:1.9": ErrImagePull: initializing source docker://quay.io/acme/shop:1.9: reading manifest 1.9 in quay.io/acme/shop: manifest unknown',
      ),
      { image: 'quay.io/acme/shop:1.9' },
    ),
    'ImagePullBackOff',
    /quay\.io\/acme\/shop:1\.9/,
  ),
  'Kubernetes 1.34: a signature that does not verify': told(
    one(
      'a',
      waits(
        'SignatureValidationFailed',
        'image pull failed for quay.io/acme/shop:2 because the signature validation failed: Source image rejected: A signature was required, but no signature exists',
      ),
      { image: 'quay.io/acme/shop:2' },
    ),
    'ImagePullBackOff',
    /quay\.io\/acme\/shop:2/,
  ),
  'Windows: a container for another Windows': told(
    one(
      'a',
      waits(
        'RunContainerError',
        'failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem app: The container operating system does not match the host operating system.: unknown',
      ),
      { image: 'mcr.microsoft.com/windows/nanoserver:1809' },
    ),
    'StartError',
    /operating system|nanoserver:1809/,
  ),
  'Windows: a program that is not there': told(
    one(
      'a',
      loops(
        128,
        'StartError',
        'failed to create containerd task: failed to create shim task: hcs::System::CreateProcess app: The system cannot find the file specified.: unknown',
      ),
      { command: ['C:\\app\\server.exe'] },
    ),
    'StartError',
    /cannot find the file|server\.exe/,
  ),
  'Windows: an image for Windows on a node of Linux': told(
    one(
      'a',
      waits(
        'ErrImagePull',
        'failed to pull and unpack image "mcr.microsoft.com/windows/servercore:ltsc2022": no match for platform in manifest: not found',
      ),
      {
        image: 'mcr.microsoft.com/windows/servercore:ltsc2022',
      },
    ),
    'ImagePullBackOff',
    /servercore:ltsc2022/,
  ),
  'an image without a shell': told(
    one(
      'a',
      loops(
        128,
        'StartError',
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "sh": executable file not found in $PATH: unknown',
      ),
      { image: 'gcr.io/distroless/static', command: ['sh', '-c', 'exec /server'] },
    ),
    'StartError',
    /\bsh\b/,
  ),
  'the second of three containers': told(
    pod(
      'a',
      {
        containers: [
          { name: 'web', image: 'x' },
          { name: 'exporter', image: 'y' },
          { name: 'istio-proxy', image: 'z' },
        ],
      },
      [container('web', runs({ ready: true })), container('exporter', loops(2)), container('istio-proxy', runs({ ready: true }))],
    ),
    'CrashLoopBackOff',
    /--web\.listen-adress|unknown long flag/,
    { log: "exporter: error: unknown long flag '--web.listen-adress', try --help\n", logOf: 'exporter' },
  ),
  'a sidecar that ends before its application starts': told(
    pod('a', { initContainers: [{ name: 'vault-agent', image: 'vault', restartPolicy: 'Always' }], ...web }, [
      container('vault-agent', loops(1)),
      container('app', waits('PodInitializing')),
    ]),
    'CrashLoopBackOff',
    /vault-config|no such file/,
    {
      log: 'Error loading configuration from /vault/configs/vault-config.hcl: stat /vault/configs/vault-config.hcl: no such file or directory\n',
      logOf: 'vault-agent',
    },
  ),
  'an init container that waits for a queue': told(
    pod(
      'a',
      {
        initContainers: [
          {
            name: 'wait',
            image: 'busybox',
            command: ['sh', '-c', 'until nc -z rabbitmq 5672; do echo waiting for rabbitmq:5672; sleep 2; done'],
          },
        ],
        ...web,
      },
      [container('wait', runs()), container('app', waits('PodInitializing'))],
    ),
    'PodInitializing',
    /rabbitmq/,
    { log: 'waiting for rabbitmq:5672\nwaiting for rabbitmq:5672\nwaiting for rabbitmq:5672\n', logOf: 'wait' },
  ),
  'cards that are all taken, behind a taint': told(
    homeless(
      'a',
      { containers: [{ name: 'app', image: 'train', resources: { limits: { 'nvidia.com/gpu': '4' } } }] },
      '0/6 nodes are available: 2 Insufficient nvidia.com/gpu, 4 node(s) had untolerated taint {nvidia.com/gpu: present}. preemption: 0/6 nodes are available: 2 No preemption victims found for incoming pod, 4 Preemption is not helpful for scheduling.',
    ),
    'Unschedulable',
    /nvidia\.com\/gpu/,
  ),
  'a driver that the node has not loaded': told(
    one(
      'a',
      loops(
        128,
        'StartError',
        "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error running prestart hook #0: exit status 1, stdout: , stderr: Auto-detected mode as 'legacy'\nnvidia-container-cli: initialization error: nvml error: driver not loaded: unknown",
      ),
    ),
    'StartError',
    /driver not loaded|nvidia-container-cli/,
  ),
  'cards that the plugin lost': told(
    rejected(
      'a',
      'UnexpectedAdmissionError',
      'Pod was rejected: Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected',
    ),
    'UnexpectedAdmissionError',
    /nvidia\.com\/gpu/,
  ),
  'Kubernetes 1.34: a device claim that no node meets': told(
    homeless(
      'a',
      {},
      '0/3 nodes are available: 3 cannot allocate all claims. still not schedulable, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    ),
    'Unschedulable',
    /claim/i,
  ),
  'a device claim that is not there': told(
    homeless(
      'a',
      { resourceClaims: [{ name: 'gpu', resourceClaimName: 'big-gpu' }] } as object,
      '0/3 nodes are available: waiting for resource claim "big-gpu" to be created. still not schedulable',
    ),
    'Unschedulable',
    /claim/,
  ),
  'Kubernetes 1.24: processors and a taint of old': told(
    homeless(
      'a',
      { containers: [{ name: 'app', image: 'nginx', resources: { requests: { cpu: '6' } } }] },
      "0/4 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 3 Insufficient cpu.",
    ),
    'Unschedulable',
    /cpu/,
    { others: [node('n1', {}, { cpu: '4' }), node('n2', {}, { cpu: '4' })] },
  ),
  'a quota of cards': told(
    controller('ReplicaSet', 'a', web, {
      status: {
        conditions: [
          {
            type: 'ReplicaFailure',
            status: 'True',
            reason: 'FailedCreate',
            message:
              'pods "a-x2x" is forbidden: exceeded quota: team-a, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=4, limited: requests.nvidia.com/gpu=4',
          },
        ],
      },
    }),
    'FailedCreate',
    /team-a|nvidia\.com\/gpu/,
  ),
  'a CronJob run that its policy ended': told(
    controller(
      'Job',
      'nightly-29087640',
      { restartPolicy: 'Never', ...web },
      {
        status: {
          failed: 1,
          conditions: [
            {
              type: 'Failed',
              status: 'True',
              reason: 'PodFailurePolicy',
              message: 'Container app for pod default/nightly-29087640-k2x failed with exit code 3 matching FailJob rule at index 0',
            },
          ],
        },
      },
    ),
    'PodFailurePolicy',
    /\b3\b|app/,
  ),
  'an indexed Job, too many indexes of which failed': told(
    controller(
      'Job',
      'a',
      { restartPolicy: 'Never', ...web },
      {
        spec: { completionMode: 'Indexed', backoffLimitPerIndex: 1, maxFailedIndexes: 2 },
        status: {
          failed: 6,
          conditions: [
            {
              type: 'Failed',
              status: 'True',
              reason: 'MaxFailedIndexesExceeded',
              message: 'Job has exceeded the specified maximal number of failed indexes',
            },
          ],
        },
      },
    ),
    'MaxFailedIndexesExceeded',
    /index/i,
  ),
  'a StatefulSet whose claims nobody makes': told(
    homeless(
      'db-0',
      { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }] },
      '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    ),
    'Unschedulable',
    /data-db-0/,
    { others: [other('PersistentVolumeClaim', 'data-db-0', { spec: { storageClassName: 'fast-ssd' }, status: { phase: 'Pending' } })] },
  ),
  'a disk in another zone': told(
    homeless(
      'db-0',
      { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }] },
      "0/6 nodes are available: 3 node(s) had volume node affinity conflict, 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling.",
    ),
    'Unschedulable',
    /volume node affinity|zone|data-db-0/,
  ),
  'a container that used more than it asked for': told(
    rejected(
      'a',
      'Evicted',
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 84Mi. Container app was using 512Mi, request is 64Mi, has larger consumption of memory. ',
    ),
    'Evicted',
    /app|memory/,
  ),
  'a pod of the control plane that fell to a taint': told(
    pod('a', web, [container('app', ended(143))], {
      status: {
        phase: 'Failed',
        conditions: [
          {
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'DeletionByTaintManager',
            message: 'Taint manager: deleting due to NoExecute taint',
          },
        ],
      },
    }),
    'Error',
    /taint|143/i,
  ),
  'a file system that cannot be read': told(
    pod('a', web, [container('app', waits('ContainerCreating'))]),
    'FailedMount',
    /nvme1n1|superblock|pvc-1/,
    {
      events: [
        [
          'FailedMount',
          'MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = could not format "/dev/nvme1n1" and mount it at "/var/lib/kubelet/plugins/kubernetes.io/csi/ebs.csi.aws.com/x/globalmount": mount failed: exit status 32\nMounting command: mount\nOutput: mount: wrong fs type, bad option, bad superblock on /dev/nvme1n1, missing codepage or helper program, or other error.',
        ],
      ],
    },
  ),
  'a secret that the store does not have': told(
    pod('a', web, [container('app', waits('ContainerCreating'))]),
    'FailedMount',
    /db-password|secrets-store/,
    {
      events: [
        [
          'FailedMount',
          'MountVolume.SetUp failed for volume "secrets-store-inline" : rpc error: code = Unknown desc = failed to mount secrets store objects for pod default/a, err: rpc error: code = Unknown desc = failed to mount objects, error: failed to get objectType:secret, objectName:db-password, objectVersion:: keyvault.BaseClient#GetSecret: Failure responding to request: StatusCode=404 -- Original Error: autorest/azure: Service returned an error. Status=404 Code="SecretNotFound"',
        ],
      ],
    },
  ),
  'Calico without its rights': told(
    pod('a', web, [container('app', waits('ContainerCreating'))]),
    'FailedCreatePodSandBox',
    /calico|Unauthorized/,
    {
      events: [
        [
          'FailedCreatePodSandBox',
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0a1b2c": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized',
        ],
      ],
    },
  ),
  'Cilium without addresses': told(pod('a', web, [container('app', waits('ContainerCreating'))]), 'FailedCreatePodSandBox', /cilium|IP/, {
    events: [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0a1b2c": plugin type="cilium-cni" failed (add): unable to allocate IP via local cilium agent: [POST /ipam][502] postIpamFailure "No more IPs available"',
      ],
    ],
  }),
  'CRI-O: a network that is not set up': told(
    pod('a', web, [container('app', waits('ContainerCreating'))]),
    'FailedCreatePodSandBox',
    /multus|10-kuberouter|CNI|network/,
    {
      events: [
        [
          'FailedCreatePodSandBox',
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create pod network sandbox k8s_a_default_0(0a1b): error adding pod default_a to CNI network "multus-cni-network": plugin type="multus-shim" name="multus-cni-network" failed (add): CmdAdd (shim): CNI request failed with status 400: timed out waiting for readiness indicator file',
        ],
      ],
    },
  ),
  'a server that puts itself into the background': told(
    one('a', loops(0), { image: 'redis:7', command: ['redis-server'], args: ['--daemonize', 'yes'] }),
    'CrashLoopBackOff',
    /--daemonize/,
    { log: '1:C 01 May 2025 10:00:00.000 # Configuration loaded\n' },
  ),
  'a probe that runs too long': told(
    one('a', runs(), { image: 'postgres:16', readinessProbe: { exec: { command: ['pg_isready'] }, timeoutSeconds: 1 } }),
    'Unhealthy',
    /pg_isready|timeout|timed out/i,
    {
      events: [
        [
          'Unhealthy',
          'Readiness probe errored and resulted in unknown state: rpc error: code = DeadlineExceeded desc = failed to exec in container: timeout 1s exceeded: context deadline exceeded',
        ],
      ],
    },
  ),
  'a probe by gRPC that nobody answers': told(
    one('a', { ...loops(137), restartCount: 3 }, { livenessProbe: { grpc: { port: 9090 } } }),
    'Unhealthy',
    /9090/,
    {
      events: [
        ['Unhealthy', 'Liveness probe failed: timeout: failed to connect service "10.1.2.3:9090" within 1s: context deadline exceeded'],
        ['Killing', 'Container app failed liveness probe, will be restarted', 'Normal'],
      ],
    },
  ),
  'Django, a host that it does not serve': told(
    one('a', runs(), { readinessProbe: { httpGet: { path: '/healthz', port: 8000 } } }),
    'Unhealthy',
    /400|ALLOWED_HOSTS/,
    {
      events: [['Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 400']],
      log: "Invalid HTTP_HOST header: '10.244.1.7:8000'. You may need to add '10.244.1.7' to ALLOWED_HOSTS.\nBad Request: /healthz\n",
    },
  ),
  'a probe that is refused, and the port that is open': told(
    one('a', runs(), { ports: [{ containerPort: 8080 }], readinessProbe: { httpGet: { path: '/', port: 8080 } } }),
    'Unhealthy',
    /8080/,
    {
      events: [
        ['Unhealthy', 'Readiness probe failed: Get "http://10.244.1.7:8080/": dial tcp 10.244.1.7:8080: connect: connection refused'],
      ],
      log: '{"level":"info","ts":1714557600.1,"caller":"server/server.go:30","msg":"http server listening","addr":":9090"}\n',
    },
  ),
  'a hook that cannot run': told(
    one('a', waits('PostStartHookError', 'PostStartHook failed'), { lifecycle: { postStart: { exec: { command: ['/warm.sh'] } } } }),
    'PostStartHookError',
    /\/warm\.sh/,
    { events: [['FailedPostStartHook', 'PostStartHook failed']] },
  ),
  'an eviction by the descheduling of a full disk': told(
    rejected('a', 'Evicted', 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ', {
      containers: [{ name: 'app', image: 'nginx', resources: { limits: { 'ephemeral-storage': '1Gi' } } }],
    }),
    'Evicted',
    /1Gi/,
  ),
  'a webhook that does not answer': told(controller('ReplicaSet', 'a', web), 'FailedCreate', /sidecar-injector|istiod/, {
    events: [
      [
        'FailedCreate',
        'Error creating: Internal error occurred: failed calling webhook "namespace.sidecar-injector.istio.io": failed to call webhook: Post "https://istiod.istio-system.svc:443/inject?timeout=10s": dial tcp 10.96.4.4:443: connect: connection refused',
      ],
    ],
  }),
  'a policy of Kyverno': told(controller('ReplicaSet', 'a', web), 'FailedCreate', /require-limits|disallow|kyverno/, {
    events: [
      [
        'FailedCreate',
        'Error creating: admission webhook "validate.kyverno.svc-fail" denied the request: \n\nresource Pod/default/ was blocked due to the following policies \n\nrequire-limits:\n  autogen-validate-resources: \'validation error: CPU and memory limits are required. rule autogen-validate-resources failed at path /spec/template/spec/containers/0/resources/limits/\'',
      ],
    ],
  }),
  'the constraints of OpenShift': told(controller('ReplicaSet', 'a', web), 'FailedCreate', /runAsUser|security context constraint/i, {
    events: [
      [
        'FailedCreate',
        'Error creating: pods "a-" is forbidden: unable to validate against any security context constraint: [provider "anyuid": Forbidden: not usable by user or serviceaccount, provider restricted-v2: .containers[0].runAsUser: Invalid value: 0: must be in the ranges: [1000680000, 1000689999]]',
      ],
    ],
  }),
};
