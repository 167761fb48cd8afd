import { container, type Documented, ended, loops, one, other, pod, waits } from './documented.ts';

const env = (name: string, valueFrom: object) => ({ env: [{ name, valueFrom }] });

/** Containers that are not created, do not start, or end. */
export const CONTAINERS: Record<string, Documented> = {
  'a container that exceeds its memory limit': {
    page: 'tasks/configure-pod-container/assign-memory-resource',
    object: one('memory-demo-2', loops(137, 'OOMKilled'), {
      resources: { requests: { memory: '50Mi' }, limits: { memory: '100Mi' } },
      command: ['stress'],
      args: ['--vm', '1', '--vm-bytes', '250M', '--vm-hang', '1'],
    }),
    events: [['BackOff', 'Back-off restarting failed container']],
    is: { reason: 'OOMKilled', culprit: /100Mi/, fix: ['spec.containers[0].resources.limits.memory'] },
  },
  'a ConfigMap that is not there, for a variable': {
    page: 'tasks/configure-pod-container/configure-pod-configmap',
    object: one(
      'dapi-test-pod',
      waits('CreateContainerConfigError', 'configmap "special-config" not found'),
      env('SPECIAL_LEVEL_KEY', { configMapKeyRef: { name: 'special-config', key: 'special.how' } }),
    ),
    events: [['Failed', 'Error: configmap "special-config" not found']],
    is: { reason: 'CreateContainerConfigError', culprit: /special-config/ },
  },
  'a ConfigMap with nearly that name': {
    page: 'tasks/configure-pod-container/configure-pod-configmap',
    object: one('dapi-test-pod', waits('CreateContainerConfigError', 'configmap "speical-config" not found'), {
      envFrom: [{ configMapRef: { name: 'speical-config' } }],
    }),
    others: [other('ConfigMap', 'special-config', { data: { 'special.how': 'very' } }), other('ConfigMap', 'env-config')],
    is: { reason: 'CreateContainerConfigError', culprit: /speical-config/, fix: ['spec.containers[0].envFrom[0].configMapRef.name'] },
  },
  'a key that the ConfigMap does not have': {
    page: 'concepts/configuration/configmap',
    object: one(
      'configmap-demo-pod',
      waits('CreateContainerConfigError', "couldn't find key player_initial_live in ConfigMap default/game-demo"),
      env('PLAYER_INITIAL_LIVES', { configMapKeyRef: { name: 'game-demo', key: 'player_initial_live' } }),
    ),
    others: [other('ConfigMap', 'game-demo', { data: { player_initial_lives: '3', ui_properties_file_name: 'x' } })],
    is: {
      reason: 'CreateContainerConfigError',
      culprit: /player_initial_live\b/,
      fix: ['spec.containers[0].env[0].valueFrom.configMapKeyRef.key'],
    },
  },
  'a Secret that is not there': {
    page: 'concepts/configuration/secret',
    object: one(
      'secret-env-pod',
      waits('CreateContainerConfigError', 'secret "mysecret" not found'),
      env('SECRET_USERNAME', { secretKeyRef: { name: 'mysecret', key: 'username' } }),
    ),
    is: { reason: 'CreateContainerConfigError', culprit: /mysecret/ },
  },
  'a key that the Secret does not have': {
    page: 'tasks/inject-data-application/distribute-credentials-secure',
    object: one(
      'env-single-secret',
      waits('CreateContainerConfigError', "couldn't find key backend-usrname in Secret default/backend-user"),
      env('SECRET_USERNAME', { secretKeyRef: { name: 'backend-user', key: 'backend-usrname' } }),
    ),
    is: { reason: 'CreateContainerConfigError', culprit: /backend-usrname/ },
  },
  'an image whose user is a name, where root is forbidden': {
    page: 'tasks/configure-pod-container/security-context',
    object: one(
      'security-context-demo',
      waits(
        'CreateContainerConfigError',
        'container has runAsNonRoot and image has non-numeric user (nobody), cannot verify user is non-root (pod: "security-context-demo_default(0a1b)", container: app)',
      ),
      { securityContext: { runAsNonRoot: true } },
    ),
    is: { reason: 'CreateContainerConfigError', culprit: /nobody/, fix: ['spec.containers[0].securityContext.runAsUser'] },
  },
  'a container that asks for root where root is forbidden': {
    page: 'concepts/security/pod-security-standards',
    object: one(
      'sec',
      waits('CreateContainerConfigError', 'container\'s runAsUser breaks non-root policy (pod: "sec_default(0a1b)", container: app)'),
      { securityContext: { runAsUser: 0 } },
      { securityContext: { runAsNonRoot: true } },
    ),
    is: { reason: 'CreateContainerConfigError', culprit: /runAsUser/ },
  },
  'an AppArmor profile that the node does not have': {
    page: 'tutorials/security/apparmor',
    object: one(
      'hello-apparmor-2',
      waits(
        'CreateContainerError',
        'failed to get container spec opts: failed to generate apparmor spec opts: apparmor profile not found k8s-apparmor-example-allow-write',
      ),
      {},
      { securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'k8s-apparmor-example-allow-write' } } },
    ),
    events: [
      [
        'Failed',
        'Error: failed to get container spec opts: failed to generate apparmor spec opts: apparmor profile not found k8s-apparmor-example-allow-write',
      ],
    ],
    is: { reason: 'CreateContainerError', culprit: /k8s-apparmor-example-allow-write/ },
  },
  'a seccomp profile that the node does not have': {
    page: 'tutorials/security/seccomp',
    object: one(
      'fine-pod',
      waits(
        'CreateContainerError',
        'failed to create containerd container: cannot load seccomp profile "/var/lib/kubelet/seccomp/profiles/fine-grained.json": open /var/lib/kubelet/seccomp/profiles/fine-grained.json: no such file or directory',
      ),
      {},
      { securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/fine-grained.json' } } },
    ),
    is: { reason: 'CreateContainerError', culprit: /fine-grained\.json/ },
  },
  'a command that is no program (Docker of old)': {
    page: 'tasks/debug/debug-application/debug-pods',
    object: one(
      'myapp-pod',
      {
        ...loops(
          127,
          'ContainerCannotRun',
          'OCI runtime create failed: container_linux.go:349: starting container process caused "exec: \\"bsh\\": executable file not found in $PATH": unknown',
        ),
      },
      { command: ['bsh', '-c', 'echo Hello'] },
    ),
    is: { reason: 'StartError', culprit: /bsh/ },
  },
  'a command that is no program (containerd)': {
    page: 'tasks/inject-data-application/define-command-argument-container',
    object: one(
      'command-demo',
      {
        restartCount: 2,
        ...waits(
          'RunContainerError',
          'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "printev": executable file not found in $PATH: unknown',
        ),
      },
      { image: 'debian', command: ['printev'], args: ['HOSTNAME', 'KUBERNETES_PORT'] },
    ),
    is: { reason: 'StartError', culprit: /printev/ },
  },
  'a command that is no program (CRI-O)': {
    page: 'tasks/inject-data-application/define-command-argument-container',
    object: one(
      'command-demo',
      waits(
        'CreateContainerError',
        'container create failed: time="2025-03-02T10:11:12Z" level=error msg="runc create failed: unable to start container process: exec: \\"/usr/bin/prnt\\": stat /usr/bin/prnt: no such file or directory"',
      ),
      { command: ['/usr/bin/prnt'] },
    ),
    is: { reason: 'CreateContainerError', culprit: /\/usr\/bin\/prnt/ },
  },
  'an image for another processor': {
    page: 'reference/node/node-labels',
    object: one('multiarch', loops(255), { image: 'example.com/tool:arm64' }),
    log: 'standard_init_linux.go:228: exec user process caused: exec format error\n',
    is: { reason: 'CrashLoopBackOff', culprit: /exec format error|example\.com\/tool:arm64/ },
  },
  'a hook whose command is not in the image': {
    page: 'concepts/containers/container-lifecycle-hooks',
    object: one(
      'lifecycle-demo',
      {
        restartCount: 2,
        ...waits(
          'PostStartHookError',
          'Exec lifecycle hook ([badcommand]) for Container "lifecycle-demo-container" in Pod "lifecycle-demo_default(30229739-9651-4e5a-9a32-a8f1688862db)" failed - error: command \'badcommand\' exited with 126: , message: "OCI runtime exec failed: exec failed: container_linux.go:380: starting container process caused: exec: \\"badcommand\\": executable file not found in $PATH: unknown\\r\\n"',
        ),
      },
      { name: 'lifecycle-demo-container', image: 'nginx', lifecycle: { postStart: { exec: { command: ['badcommand'] } } } },
    ),
    events: [
      [
        'FailedPostStartHook',
        'Exec lifecycle hook ([badcommand]) for Container "lifecycle-demo-container" in Pod "lifecycle-demo_default(30229739-9651-4e5a-9a32-a8f1688862db)" failed - error: command \'badcommand\' exited with 126: , message: "OCI runtime exec failed: exec failed: container_linux.go:380: starting container process caused: exec: \\"badcommand\\": executable file not found in $PATH: unknown\\r\\n"',
      ],
      ['Killing', 'FailedPostStartHook', 'Normal'],
    ],
    is: { reason: 'PostStartHookError', culprit: /badcommand/ },
  },
  'an init container that fails': {
    page: 'tasks/debug/debug-application/debug-init-containers',
    object: pod(
      'myapp',
      {
        initContainers: [
          { name: 'init-1', image: 'busybox:1.28', command: ['true'] },
          { name: 'init-2', image: 'busybox:1.28', command: ['sh', '-c', 'cp /seed/data.sql /db/'] },
        ],
        containers: [{ name: 'app', image: 'nginx' }],
      },
      [container('init-1', { ...ended(0), ready: true }), container('init-2', loops(1)), container('app', waits('PodInitializing'))],
    ),
    logOf: 'init-2',
    log: "cp: can't stat '/seed/data.sql': No such file or directory\n",
    is: { reason: 'CrashLoopBackOff', culprit: /\/seed\/data\.sql/ },
  },
  'an init container that waits for a service that nobody made': {
    page: 'concepts/workloads/pods/init-containers',
    object: pod(
      'myapp-pod',
      {
        initContainers: [
          {
            name: 'init-myservice',
            image: 'busybox:1.28',
            command: ['sh', '-c', 'until nslookup myservice.$(cat /ns).svc.cluster.local; do echo waiting for myservice; sleep 2; done'],
          },
        ],
        containers: [{ name: 'myapp-container', image: 'busybox:1.28' }],
      },
      [
        container('init-myservice', { state: { running: { startedAt: '2025-12-31T23:00:00Z' } } }),
        container('myapp-container', waits('PodInitializing')),
      ],
    ),
    logOf: 'init-myservice',
    log: "Server:    10.0.0.10\nAddress 1: 10.0.0.10 kube-dns.kube-system.svc.cluster.local\n\nnslookup: can't resolve 'myservice.default.svc.cluster.local'\nwaiting for myservice\n",
    is: { reason: 'PodInitializing', culprit: /myservice/ },
  },
  'a sidecar that crashes': {
    page: 'concepts/workloads/pods/sidecar-containers',
    object: pod(
      'myapp',
      {
        initContainers: [
          { name: 'logshipper', image: 'alpine:latest', restartPolicy: 'Always', command: ['sh', '-c', 'tail -F /opt/logs.txt'] },
        ],
        containers: [{ name: 'myapp', image: 'alpine:latest' }],
      },
      [container('logshipper', loops(1)), container('myapp', { started: true, ready: true, state: { running: {} } })],
    ),
    logOf: 'logshipper',
    log: "tail: can't open '/opt/logs.txt': Permission denied\n",
    is: { reason: 'CrashLoopBackOff', culprit: /\/opt\/logs\.txt/ },
  },
  'a termination message that says it all': {
    page: 'tasks/debug/debug-application/determine-reason-pod-failure',
    object: pod(
      'msg-path-demo',
      { restartPolicy: 'Never', containers: [{ name: 'msg-path-demo-container', image: 'debian', terminationMessagePath: '/tmp/my-log' }] },
      [container('msg-path-demo-container', ended(4, 'Error', 'migration 0042 needs table "users"\n'))],
      { status: { phase: 'Failed' } },
    ),
    is: { reason: 'Error', culprit: /migration 0042 needs table "users"/ },
  },
  'a Windows image of another build': {
    page: 'concepts/windows/intro',
    object: one(
      'win-webserver',
      {
        restartCount: 3,
        ...waits(
          'RunContainerError',
          'failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem app: The container operating system does not match the host operating system.: unknown',
        ),
      },
      { image: 'mcr.microsoft.com/windows/servercore:ltsc2019' },
      { nodeSelector: { 'kubernetes.io/os': 'windows' } },
    ),
    is: { reason: 'StartError', culprit: /operating system does not match|servercore:ltsc2019/ },
  },
  'a Windows program whose library is missing': {
    page: 'concepts/windows/user-guide',
    object: one('win-app', loops(-1073741515), { image: 'example.com/win/app:1' }, { os: { name: 'windows' } }),
    is: { reason: 'CrashLoopBackOff', culprit: /-?1073741515|3221225781|0xC0000135/i },
  },
  'a working directory that the image has not': {
    page: 'reference/kubernetes-api/workload-resources/pod-v1',
    object: one(
      'wd',
      waits(
        'RunContainerError',
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: chdir to cwd ("/srv/app") set in config.json failed: permission denied: unknown',
      ),
      { workingDir: '/srv/app', securityContext: { runAsUser: 1000 } },
    ),
    is: { reason: 'StartError', culprit: /\/srv\/app/ },
  },
  'a subPath that leaves its volume': {
    page: 'concepts/storage/volumes',
    object: one(
      'my-lamp-site',
      waits('CreateContainerConfigError', 'failed to prepare subPath for volumeMount "site-data" of container "mysql"'),
      { name: 'mysql', image: 'mysql', volumeMounts: [{ mountPath: '/var/lib/mysql', name: 'site-data', subPath: 'mysql' }] },
      { volumes: [{ name: 'site-data', persistentVolumeClaim: { claimName: 'my-lamp-site-data' } }] },
    ),
    is: { reason: 'CreateContainerConfigError', culprit: /site-data|mysql/ },
  },
  'a resource field of a container that does not exist': {
    page: 'tasks/inject-data-application/environment-variable-expose-pod-information',
    object: one(
      'dapi-envars-resourcefieldref',
      waits('CreateContainerConfigError', 'container test-containr not found'),
      env('MY_CPU_REQUEST', { resourceFieldRef: { containerName: 'test-containr', resource: 'requests.cpu' } }),
    ),
    is: { reason: 'CreateContainerConfigError', culprit: /test-containr/ },
  },
  'a root file system that may only be read': {
    page: 'tasks/configure-pod-container/security-context',
    object: one('ro', loops(1), { image: 'nginx', securityContext: { readOnlyRootFilesystem: true } }),
    log: '2025/05/01 10:00:00 [emerg] 1#1: mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)\n',
    is: { reason: 'CrashLoopBackOff', culprit: /\/var\/cache\/nginx/ },
  },
  'a pod that may not ask the API': {
    page: 'reference/access-authn-authz/rbac',
    object: one('watcher', loops(1), { image: 'example.com/watcher:2' }, { serviceAccountName: 'my-service-account' }),
    log: 'E0501 10:00:00.000000 1 main.go:42] pods is forbidden: User "system:serviceaccount:default:my-service-account" cannot list resource "pods" in API group "" in the namespace "default"\n',
    is: { reason: 'CrashLoopBackOff', culprit: /my-service-account.*cannot list resource|pods is forbidden/, fix: null },
  },
  'a container that ends well though it should not': {
    page: 'concepts/workloads/pods/pod-lifecycle',
    object: one('done', loops(0, 'Completed'), { command: ['sh', '-c', 'echo done'] }),
    is: { reason: 'CrashLoopBackOff', culprit: /exit code 0|done|ended/i },
  },
  'a container that asked for too much at its end': {
    page: 'concepts/workloads/pods/pod-lifecycle',
    object: one('segv', loops(139), { image: 'example.com/native:3' }),
    is: { reason: 'CrashLoopBackOff', culprit: /139|SIGSEGV|signal 11/ },
  },
  'an abort': {
    page: 'concepts/workloads/pods/pod-lifecycle',
    object: one('abrt', loops(134), { image: 'example.com/native:3' }),
    log: "starting\nterminate called after throwing an instance of 'std::runtime_error'\n  what():  no such device\nAborted (core dumped)\n",
    is: { reason: 'CrashLoopBackOff', culprit: /std::runtime_error|no such device/ },
  },
  'an image volume that cannot be pulled': {
    page: 'tasks/configure-pod-container/image-volumes',
    object: one(
      'image-volume',
      waits(
        'ImagePullBackOff',
        'Back-off pulling image "quay.io/crio/artifact:v9": ErrImagePull: reading manifest v9 in quay.io/crio/artifact: manifest unknown',
      ),
      { volumeMounts: [{ name: 'volume', mountPath: '/volume' }] },
      { volumes: [{ name: 'volume', image: { reference: 'quay.io/crio/artifact:v9', pullPolicy: 'IfNotPresent' } }] },
    ),
    is: { reason: 'ImagePullBackOff', culprit: /quay\.io\/crio\/artifact:v9/ },
  },
};
