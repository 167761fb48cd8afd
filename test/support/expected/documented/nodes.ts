import { container, controller, type Documented, ended, type Expectation, one, other, pod, rejected, runs, waits } from './documented.ts';

const EVICTION = 'concepts/scheduling-eviction/node-pressure-eviction';
const creating = (spec: object, podSpec: object = {}) => one('mounting', waits('ContainerCreating'), spec, podSpec);
const claim = (name: string) => ({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }] });

/** What nodes do to pods: evictions, refusals, volumes, sandboxes. */
export const NODES: Record<string, Documented> = {
  'a node short of memory': {
    page: EVICTION,
    object: rejected(
      'evicted',
      'Evicted',
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 74904Ki. Container web was using 612Mi, request is 256Mi, has larger consumption of memory. ',
      { containers: [{ name: 'web', image: 'nginx', resources: { requests: { memory: '256Mi' } } }] },
      [container('web', ended(137))],
    ),
    is: { reason: 'Evicted', culprit: /web.*memory|memory.*web/, fix: ['spec.containers[0].resources.requests.memory'] },
  },
  'a node short of memory (old words)': {
    page: EVICTION,
    object: rejected(
      'evicted',
      'Evicted',
      'The node was low on resource: memory. Container app was using 7600Ki, which exceeds its request of 0. ',
    ),
    is: { reason: 'Evicted', culprit: /memory/ },
  },
  'a node short of disk': {
    page: EVICTION,
    object: rejected(
      'evicted',
      'Evicted',
      'The node was low on resource: ephemeral-storage. Threshold quantity: 10738712320, available: 9880Ki. Container app was using 4Gi, request is 0, has larger consumption of ephemeral-storage. ',
    ),
    is: { reason: 'Evicted', culprit: /ephemeral-storage/ },
  },
  'a node short of process ids': {
    page: 'concepts/policy/pid-limiting',
    object: rejected('evicted', 'Evicted', 'The node was low on resource: pids. Threshold quantity: 1000, available: 12. '),
    is: { reason: 'Evicted', culprit: /pids/ },
  },
  'a node short of inodes': {
    page: EVICTION,
    object: rejected('evicted', 'Evicted', 'The node was low on resource: inodes. '),
    is: { reason: 'Evicted', culprit: /inodes/ },
  },
  'a volume beyond its limit': {
    page: 'concepts/storage/volumes',
    object: rejected('evicted', 'Evicted', 'Usage of EmptyDir volume "cache-volume" exceeds the limit "500Mi". ', {
      volumes: [{ name: 'cache-volume', emptyDir: { sizeLimit: '500Mi' } }],
    }),
    is: { reason: 'Evicted', culprit: /cache-volume/, fix: ['spec.volumes[0].emptyDir.sizeLimit'] },
  },
  'a container that writes too much': {
    page: 'concepts/configuration/manage-resources-containers',
    object: rejected('evicted', 'Evicted', 'Container app exceeded its local ephemeral storage limit "4Gi". ', {
      containers: [{ name: 'app', image: 'nginx', resources: { limits: { 'ephemeral-storage': '4Gi' } } }],
    }),
    is: { reason: 'Evicted', culprit: /4Gi/, fix: ['spec.containers[0].resources.limits.ephemeral-storage'] },
  },
  'a node in trouble that takes nobody': {
    page: EVICTION,
    object: rejected('evicted', 'Evicted', 'Pod was rejected: The node had condition: [DiskPressure]. '),
    is: { reason: 'Evicted', culprit: /DiskPressure/ },
  },
  'a node without the wanted label': {
    page: 'concepts/scheduling-eviction/assign-pod-node',
    object: rejected(
      'bound',
      'NodeAffinity',
      "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
      {
        nodeName: 'kube-01',
        nodeSelector: { disktype: 'ssd' },
      },
    ),
    is: { reason: 'NodeAffinity', culprit: /disktype|kube-01|nodeSelector/ },
  },
  'a node without the memory': {
    page: 'concepts/scheduling-eviction/assign-pod-node',
    object: rejected(
      'bound',
      'OutOfmemory',
      "Pod was rejected: Node didn't have enough resource: memory, requested: 1073741824000, used: 145752064, capacity: 8232022016",
      {
        nodeName: 'kube-01',
        containers: [{ name: 'app', image: 'nginx', resources: { requests: { memory: '1000Gi' } } }],
      },
    ),
    is: { reason: 'OutOfmemory', culprit: /memory/ },
  },
  'devices that are gone': {
    page: 'concepts/extend-kubernetes/compute-storage-net/device-plugins',
    object: rejected(
      'gpu',
      'UnexpectedAdmissionError',
      'Pod was rejected: Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected',
      { containers: [{ name: 'app', image: 'cuda', resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
    ),
    is: { reason: 'UnexpectedAdmissionError', culprit: /nvidia\.com\/gpu/ },
  },
  'memory of two banks': {
    page: 'tasks/administer-cluster/topology-manager',
    object: rejected('numa', 'TopologyAffinityError', 'Pod was rejected: Resources cannot be allocated with Topology locality'),
    is: { reason: 'TopologyAffinityError', culprit: /topology/i },
  },
  'a sysctl that is not allowed': {
    page: 'tasks/administer-cluster/sysctl-cluster',
    object: rejected('sysctl-example', 'SysctlForbidden', 'Pod was rejected: forbidden sysctl: "net.core.somaxconn" not allowlisted', {
      securityContext: {
        sysctls: [
          { name: 'kernel.shm_rmid_forced', value: '0' },
          { name: 'net.core.somaxconn', value: '1024' },
        ],
      },
    }),
    is: { reason: 'SysctlForbidden', culprit: /net\.core\.somaxconn/, fix: ['spec.securityContext.sysctls'] },
  },
  'AppArmor where the node has none': {
    page: 'tutorials/security/apparmor',
    object: rejected('hello-apparmor', 'AppArmor', 'Cannot enforce AppArmor: AppArmor is not enabled on the host'),
    is: { reason: 'AppArmor', culprit: /AppArmor/ },
  },
  'a pod of its own that ran too long': {
    page: 'concepts/workloads/pods/pod-lifecycle',
    object: rejected('late', 'DeadlineExceeded', 'Pod was active on the node longer than the specified deadline', {
      activeDeadlineSeconds: 30,
      restartPolicy: 'Never',
    }),
    is: { reason: 'DeadlineExceeded', culprit: /30/ },
  },
  'a more important pod': {
    page: 'concepts/workloads/pods/disruptions',
    object: pod('preempted', { containers: [{ name: 'app', image: 'nginx' }] }, [container('app', ended(137))], {
      status: {
        phase: 'Failed',
        conditions: [
          {
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'PreemptionByScheduler',
            message: 'default-scheduler: preempting to accommodate a higher priority pod',
            lastTransitionTime: '2026-01-01T00:00:20Z',
          },
        ],
      },
    }),
    is: { reason: 'Preempted', culprit: /priority/ },
  },
  'a ConfigMap volume without its ConfigMap': {
    page: 'concepts/storage/volumes',
    object: creating(
      { volumeMounts: [{ name: 'config-vol', mountPath: '/etc/config' }] },
      { volumes: [{ name: 'config-vol', configMap: { name: 'log-conf' } }] },
    ),
    events: [['FailedMount', 'MountVolume.SetUp failed for volume "config-vol" : configmap "log-conf" not found']],
    others: [other('ConfigMap', 'log-config', { data: { log_level: 'x' } })],
    is: { reason: 'FailedMount', culprit: /log-conf\b/, fix: ['spec.volumes[0].configMap.name'] },
  },
  'a ConfigMap volume with a key that is not there': {
    page: 'concepts/storage/volumes',
    object: creating(
      {},
      { volumes: [{ name: 'config-vol', configMap: { name: 'log-config', items: [{ key: 'log-level', path: 'log_level.conf' }] } }] },
    ),
    events: [['FailedMount', 'MountVolume.SetUp failed for volume "config-vol" : configmap references non-existent config key: log-level']],
    others: [other('ConfigMap', 'log-config', { data: { log_level: 'x' } })],
    is: { reason: 'FailedMount', culprit: /log-level/, fix: ['spec.volumes[0].configMap.items[0].key'] },
  },
  'a projected Secret that is not there': {
    page: 'concepts/storage/projected-volumes',
    object: creating(
      {},
      {
        volumes: [
          {
            name: 'all-in-one',
            projected: { sources: [{ secret: { name: 'mysecret', items: [{ key: 'username', path: 'my-group/my-username' }] } }] },
          },
        ],
      },
    ),
    events: [['FailedMount', 'MountVolume.SetUp failed for volume "all-in-one" : secret "mysecret" not found']],
    is: { reason: 'FailedMount', culprit: /mysecret/ },
  },
  'a host path that is not there': {
    page: 'concepts/storage/volumes',
    object: creating({}, { volumes: [{ name: 'example-volume', hostPath: { path: '/data/foo', type: 'Directory' } }] }),
    events: [
      ['FailedMount', 'MountVolume.SetUp failed for volume "example-volume" : hostPath type check failed: /data/foo is not a directory'],
    ],
    is: { reason: 'FailedMount', culprit: /\/data\/foo/ },
  },
  'a driver that the node has not': {
    page: 'concepts/storage/volumes',
    object: creating({}, { volumes: [{ name: 'vol', csi: { driver: 'inline.storage.kubernetes.io' } }] }),
    events: [
      [
        'FailedMount',
        'MountVolume.SetUp failed for volume "vol" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name inline.storage.kubernetes.io not found in the list of registered CSI drivers',
      ],
    ],
    is: { reason: 'FailedMount', culprit: /inline\.storage\.kubernetes\.io/, fix: null },
  },
  'a disk that another node holds': {
    page: 'concepts/storage/persistent-volumes',
    object: creating({}, claim('data-web-0')),
    events: [['FailedAttachVolume', 'Multi-Attach error for volume "pvc-9e5a3c" Volume is already used by pod(s) web-0-old']],
    is: { reason: 'FailedAttachVolume', culprit: /pvc-9e5a3c|data-web-0|web-0-old/ },
  },
  'a disk that is gone': {
    page: 'concepts/storage/persistent-volumes',
    object: creating({}, claim('data')),
    events: [
      [
        'FailedAttachVolume',
        'AttachVolume.Attach failed for volume "pvc-77aa" : rpc error: code = NotFound desc = Volume "vol-0123" not found',
      ],
    ],
    is: { reason: 'FailedAttachVolume', culprit: /pvc-77aa|vol-0123/ },
  },
  'a mount that takes too long': {
    page: 'concepts/storage/volumes',
    object: creating({}, claim('data')),
    events: [
      [
        'FailedMount',
        'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data kube-api-access-bgsgp]: timed out waiting for the condition',
      ],
    ],
    is: { reason: 'FailedMount', culprit: /data/ },
  },
  'a share that refuses the node': {
    page: 'concepts/storage/volumes',
    object: creating({}, { volumes: [{ name: 'test-volume', nfs: { server: 'my-nfs-server.example.com', path: '/my-nfs-volume' } }] }),
    events: [
      [
        'FailedMount',
        'MountVolume.SetUp failed for volume "test-volume" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs my-nfs-server.example.com:/my-nfs-volume /var/lib/kubelet/pods/0a/volumes/kubernetes.io~nfs/test-volume\nOutput: mount.nfs: access denied by server while mounting my-nfs-server.example.com:/my-nfs-volume',
      ],
    ],
    is: { reason: 'FailedMount', culprit: /my-nfs-server\.example\.com:\/my-nfs-volume/, fix: null },
  },
  'a network plugin that is not there': {
    page: 'tasks/administer-cluster/migrating-from-dockershim/troubleshooting-cni-plugin-related-errors',
    object: creating({}),
    events: [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0a1b2c": plugin type="loopback" failed (add): failed to find plugin "loopback" in path [/opt/cni/bin]',
      ],
    ],
    is: { reason: 'FailedCreatePodSandBox', culprit: /loopback/, fix: null },
  },
  'network plugins of different ages': {
    page: 'tasks/administer-cluster/migrating-from-dockershim/troubleshooting-cni-plugin-related-errors',
    object: creating({}),
    events: [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = [failed to set up sandbox container "8d1a" network for pod "web": networkPlugin cni failed to set up pod "web_default" network: incompatible CNI versions; config is "1.0.0", plugin supports ["0.1.0" "0.2.0" "0.3.0" "0.3.1" "0.4.0"]',
      ],
    ],
    is: { reason: 'FailedCreatePodSandBox', culprit: /CNI versions/i, fix: null },
  },
  'a runtime class that the node has not set up': {
    page: 'concepts/containers/runtime-class',
    object: creating({}, { runtimeClassName: 'myclass' }),
    events: [
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "myconfiguration" is configured',
      ],
    ],
    is: { reason: 'FailedCreatePodSandBox', culprit: /myconfiguration|myclass/ },
  },
  'a node that is lost': {
    page: 'concepts/architecture/nodes',
    object: pod('lost', { containers: [{ name: 'app', image: 'nginx' }] }, [container('app', runs({ ready: true }))], {
      status: {
        phase: 'Running',
        reason: 'NodeLost',
        message: 'Node kube-01 which was running pod lost is unresponsive',
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:20Z' }],
      },
    }),
    is: { reason: 'NodeLost', culprit: /kube-01/ },
  },
};

/** `what` is the controller's kind and name: `ReplicaSet/web`. */
const failedCreate = (page: string, what: string, template: object, [message, is]: [string, Omit<Expectation, 'reason'>]): Documented => {
  const [kind = '', name = ''] = what.split('/');
  return {
    page,
    object: controller(kind, name, { containers: [{ name: 'app', image: 'nginx' }], ...template }),
    events: [['FailedCreate', message]],
    is: { reason: 'FailedCreate', ...is },
  };
};
const resources = (requests: object, limits: object) => ({
  containers: [{ name: 'app', image: 'nginx', resources: { requests, limits } }],
});
const inTemplate = (path: string) => [`spec.template.spec.${path}`];

/** Controllers that cannot create their pods, and Jobs that give up. */
export const CONTROLLERS: Record<string, Documented> = {
  'a quota of memory': failedCreate(
    'tasks/administer-cluster/manage-resources/quota-memory-cpu-namespace',
    'ReplicaSet/quota-mem-cpu-demo-2',
    resources({ memory: '700Mi' }, { memory: '1Gi' }),
    [
      'Error creating: pods "quota-mem-cpu-demo-2-x7x9z" is forbidden: exceeded quota: mem-cpu-demo, requested: requests.memory=700Mi, used: requests.memory=600Mi, limited: requests.memory=1Gi',
      { culprit: /mem-cpu-demo/ },
    ],
  ),
  'a quota that wants to know': failedCreate('concepts/policy/resource-quotas', 'ReplicaSet/silent', {}, [
    'Error creating: pods "silent-abcde" is forbidden: failed quota: compute-resources: must specify limits.cpu for: app; limits.memory for: app; requests.cpu for: app; requests.memory for: app',
    { culprit: /compute-resources/ },
  ]),
  'a quota of pods': failedCreate('tasks/administer-cluster/manage-resources/quota-pod-namespace', 'ReplicaSet/pod-quota-demo', {}, [
    'Error creating: pods "pod-quota-demo-zzzzz" is forbidden: exceeded quota: pod-demo, requested: pods=1, used: pods=2, limited: pods=2',
    { culprit: /pod-demo/, fix: null },
  ]),
  'more memory than a container may have': failedCreate(
    'tasks/administer-cluster/manage-resources/memory-constraint-namespace',
    'ReplicaSet/constraints-mem-demo-2',
    resources({ memory: '800Mi' }, { memory: '1.5Gi' }),
    [
      'Error creating: pods "constraints-mem-demo-2-qq" is forbidden: maximum memory usage per Container is 1Gi, but limit is 1536Mi.',
      { culprit: /1Gi/, fix: inTemplate('containers[0].resources.limits.memory') },
    ],
  ),
  'less memory than a container must ask for': failedCreate(
    'tasks/administer-cluster/manage-resources/memory-constraint-namespace',
    'ReplicaSet/constraints-mem-demo-3',
    resources({ memory: '100Mi' }, { memory: '800Mi' }),
    [
      'Error creating: pods "constraints-mem-demo-3-qq" is forbidden: minimum memory usage per Container is 500Mi, but request is 100Mi.',
      { culprit: /500Mi/, fix: inTemplate('containers[0].resources.requests.memory') },
    ],
  ),
  'more processor than a container may have': failedCreate(
    'tasks/administer-cluster/manage-resources/cpu-constraint-namespace',
    'StatefulSet/constraints-cpu-demo-2',
    resources({ cpu: '500m' }, { cpu: '1.5' }),
    [
      'create Pod constraints-cpu-demo-2-0 in StatefulSet constraints-cpu-demo-2 failed error: pods "constraints-cpu-demo-2-0" is forbidden: maximum cpu usage per Container is 800m, but limit is 1500m.',
      { culprit: /800m/, fix: inTemplate('containers[0].resources.limits.cpu') },
    ],
  ),
  'a service account that nobody made': failedCreate(
    'tasks/configure-pod-container/configure-service-account',
    'ReplicaSet/robot',
    { serviceAccountName: 'build-robot' },
    [
      'Error creating: pods "robot-5f7b-" is forbidden: error looking up service account default/build-robot: serviceaccount "build-robot" not found',
      { culprit: /build-robot/ },
    ],
  ),
  'a privileged container': failedCreate(
    'tasks/configure-pod-container/enforce-standards-namespace-labels',
    'DaemonSet/agent',
    { containers: [{ name: 'app', image: 'nginx', securityContext: { privileged: true } }] },
    [
      'Error creating: pods "agent-x2x4x" is forbidden: violates PodSecurity "baseline:v1.34": privileged (container "app" must not set securityContext.privileged=true)',
      { culprit: /privileged/, fix: inTemplate('containers[0].securityContext.privileged') },
    ],
  ),
  'what restricted demands': failedCreate('tutorials/security/ns-level-pss', 'Job/nginx', {}, [
    'Error creating: pods "nginx-" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "app" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "app" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    { culprit: /restricted/ },
  ]),
  'a host port under baseline': failedCreate(
    'concepts/security/pod-security-standards',
    'ReplicaSet/ports',
    { containers: [{ name: 'app', image: 'nginx', ports: [{ containerPort: 80, hostPort: 8080 }] }] },
    [
      'Error creating: pods "ports-x" is forbidden: violates PodSecurity "baseline:latest": hostPort (container "app" uses hostPort 8080)',
      { culprit: /hostPort/, fix: inTemplate('containers[0].ports[0].hostPort') },
    ],
  ),
  'a runtime class that nobody made': failedCreate('concepts/containers/runtime-class', 'ReplicaSet/rtc', { runtimeClassName: 'myclass' }, [
    'Error creating: pods "rtc-x" is forbidden: pod rejected: RuntimeClass "myclass" not found',
    { culprit: /myclass/ },
  ]),
  'a priority class that nobody made': failedCreate(
    'concepts/scheduling-eviction/pod-priority-preemption',
    'ReplicaSet/prio',
    { priorityClassName: 'high-priorty' },
    ['Error creating: pods "prio-x" is forbidden: no PriorityClass with name high-priorty was found', { culprit: /high-priorty/ }],
  ),
  'a webhook that says no': failedCreate('reference/access-authn-authz/extensible-admission-controllers', 'ReplicaSet/hooked', {}, [
    'Error creating: admission webhook "my-webhook.example.com" denied the request: image tag latest is not allowed',
    { culprit: /my-webhook\.example\.com|tag latest/ },
  ]),
  'a webhook that is not there': failedCreate('reference/access-authn-authz/extensible-admission-controllers', 'ReplicaSet/hooked', {}, [
    'Error creating: Internal error occurred: failed calling webhook "my-webhook.example.com": failed to call webhook: Post "https://my-webhook.default.svc:443/validate?timeout=10s": no endpoints available for service "my-webhook"',
    { culprit: /my-webhook/, fix: null },
  ]),
  'a policy in the cluster': failedCreate('reference/access-authn-authz/validating-admission-policy', 'ReplicaSet/policed', {}, [
    "Error creating: pods \"policed-x\" is forbidden: ValidatingAdmissionPolicy 'demo-policy.example.com' with binding 'demo-binding-test.example.com' denied request: failed expression: object.spec.replicas <= 5",
    { culprit: /demo-policy\.example\.com/ },
  ]),
  'a job that failed too often': {
    page: 'concepts/workloads/controllers/job',
    object: controller(
      'Job',
      'pi',
      { restartPolicy: 'Never', containers: [{ name: 'pi', image: 'perl:5.34.0' }] },
      {
        spec: { backoffLimit: 4 },
        status: {
          failed: 5,
          conditions: [
            {
              type: 'Failed',
              status: 'True',
              reason: 'BackoffLimitExceeded',
              message: 'Job has reached the specified backoff limit',
              lastTransitionTime: '2026-01-01T00:01:00Z',
            },
          ],
        },
      },
    ),
    is: { reason: 'BackoffLimitExceeded', culprit: /backoffLimit|back-?off limit/i },
  },
  'a job that ran too long': {
    page: 'concepts/workloads/controllers/job',
    object: controller(
      'Job',
      'pi-with-timeout',
      { restartPolicy: 'Never', containers: [{ name: 'pi', image: 'perl:5.34.0' }] },
      {
        spec: { backoffLimit: 5, activeDeadlineSeconds: 100 },
        status: {
          failed: 1,
          conditions: [
            {
              type: 'Failed',
              status: 'True',
              reason: 'DeadlineExceeded',
              message: 'Job was active longer than specified deadline',
              lastTransitionTime: '2026-01-01T00:01:40Z',
            },
          ],
        },
      },
    ),
    is: { reason: 'DeadlineExceeded', culprit: /100/ },
  },
  'a job that gives up by its own policy': {
    page: 'tasks/job/pod-failure-policy',
    object: controller(
      'Job',
      'job-pod-failure-policy-failjob',
      { restartPolicy: 'Never', containers: [{ name: 'main', image: 'bash:5' }] },
      {
        spec: {
          backoffLimit: 6,
          podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { containerName: 'main', operator: 'In', values: [42] } }] },
        },
        status: {
          failed: 1,
          conditions: [
            {
              type: 'Failed',
              status: 'True',
              reason: 'PodFailurePolicy',
              message:
                'Container main for pod default/job-pod-failure-policy-failjob-abc failed with exit code 42 matching FailJob rule at index 0',
              lastTransitionTime: '2026-01-01T00:01:00Z',
            },
          ],
        },
      },
    ),
    is: { reason: 'PodFailurePolicy', culprit: /42|main/ },
  },
};
