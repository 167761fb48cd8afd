import { container, controller, type Documented, ended, homeless, one, pod, runs, serves, waits } from './documented.ts';

const nginx = { containers: [{ name: 'nginx', image: 'nginx:1.14.2' }] };
const ready = (name: string, more: Partial<Documented> = {}, status = serves()): Documented => ({
  page: 'concepts/workloads/pods/pod-lifecycle',
  object: one(name, status),
  ...more,
  is: 'healthy',
});
const wrote = (log: string) => ready('talker', { log });

/** Pods that work, or are on their way. */
export const HEALTHY: Record<string, Documented> = {
  'a pod that runs': ready('nginx'),
  'a pod whose image is on its way': ready(
    'puller',
    {
      events: [
        ['Scheduled', 'Successfully assigned default/puller to node01', 'Normal'],
        ['Pulling', 'Pulling image "nginx"', 'Normal'],
      ],
    },
    waits('ContainerCreating'),
  ),
  'a pod that is just created': { page: 'concepts/workloads/pods/pod-lifecycle', object: pod('new', nginx, []), is: 'healthy' },
  'a pod behind a scheduling gate': {
    page: 'concepts/scheduling-eviction/pod-scheduling-readiness',
    object: (() => {
      const gated = homeless(
        'test-pod',
        { schedulingGates: [{ name: 'example.com/foo' }] },
        'Scheduling is blocked due to non-empty scheduling gates',
      );
      gated.status!.conditions![0]!.reason = 'SchedulingGated';
      return gated;
    })(),
    is: 'healthy',
  },
  'a job that is done': {
    page: 'concepts/workloads/controllers/job',
    object: pod('pi-5rwd7', { restartPolicy: 'Never', containers: [{ name: 'pi', image: 'perl:5.34.0' }] }, [container('pi', ended(0))], {
      status: { phase: 'Succeeded' },
    }),
    is: 'healthy',
  },
  'a job whose sidecar was stopped at its end': {
    page: 'concepts/workloads/pods/sidecar-containers',
    object: pod(
      'myjob',
      {
        restartPolicy: 'Never',
        initContainers: [{ name: 'logshipper', image: 'alpine', restartPolicy: 'Always' }],
        containers: [{ name: 'myjob', image: 'alpine' }],
      },
      [container('logshipper', ended(137)), container('myjob', ended(0))],
      { status: { phase: 'Succeeded' } },
    ),
    is: 'healthy',
  },
  'a sidecar beside its application': {
    page: 'concepts/workloads/pods/sidecar-containers',
    object: pod(
      'myapp',
      {
        initContainers: [{ name: 'logshipper', image: 'alpine', restartPolicy: 'Always' }],
        containers: [{ name: 'myapp', image: 'alpine' }],
      },
      [container('logshipper', runs({ ready: true })), container('myapp', serves())],
    ),
    is: 'healthy',
  },
  'an application whose init containers are done': {
    page: 'concepts/workloads/pods/init-containers',
    object: pod(
      'myapp-pod',
      {
        initContainers: [{ name: 'init-myservice', image: 'busybox:1.28' }],
        containers: [{ name: 'myapp-container', image: 'busybox:1.28' }],
      },
      [container('init-myservice', { ...ended(0), ready: true }), container('myapp-container', serves())],
    ),
    is: 'healthy',
  },
  'an init container that failed once and then did well': {
    page: 'concepts/workloads/pods/init-containers',
    object: pod('myapp-pod', { initContainers: [{ name: 'init', image: 'busybox:1.28' }], containers: [{ name: 'app', image: 'nginx' }] }, [
      container('init', { ...ended(0), ready: true, restartCount: 1, lastState: ended(1).state! }),
      container('app', serves()),
    ]),
    is: 'healthy',
  },
  'a container that was restarted and works again': ready(
    'restarted',
    {},
    { ...serves(), restartCount: 1, lastState: ended(137, 'OOMKilled').state! },
  ),
  'a container that ended well and was started again': ready('again', {}, { ...serves(), restartCount: 3, lastState: ended(0).state! }),
  'a probe that failed while the server started': ready('warm', {
    page: 'tasks/configure-pod-container/configure-liveness-readiness-startup-probes',
    events: [
      ['Unhealthy', 'Startup probe failed: Get "http://10.0.0.5:8080/healthz": dial tcp 10.0.0.5:8080: connect: connection refused'],
    ],
  }),
  'a liveness probe that failed once': ready('once', {
    events: [['Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 503']],
  }),
  'a pod that waited for a node and got one': ready('patient', {
    events: [
      [
        'FailedScheduling',
        '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
      ],
      ['Scheduled', 'Successfully assigned default/patient to node01', 'Normal'],
    ],
  }),
  'a volume that was late': ready('late', {
    events: [
      [
        'FailedMount',
        'MountVolume.SetUp failed for volume "kube-api-access-bgsgp" : failed to sync configmap cache: timed out waiting for the condition',
      ],
      ['Started', 'Started container app', 'Normal'],
    ],
  }),
  'a pull that worked at the second try': ready('second', {
    events: [
      ['Failed', 'Failed to pull image "nginx": rpc error: code = Unknown desc = context canceled'],
      ['Failed', 'Error: ErrImagePull'],
      ['Pulled', 'Successfully pulled image "nginx" in 1.146417389s', 'Normal'],
    ],
  }),
  'keys that are no names of variables': ready('envfrom', {
    page: 'tasks/configure-pod-container/configure-pod-configmap',
    events: [
      [
        'InvalidEnvironmentVariableNames',
        'Keys [1badkey, 2alsobad] from the EnvFrom configMap default/myconfig were skipped since they are considered invalid environment variable names.',
      ],
    ],
  }),
  'a pull secret that is missing but not needed': ready('public', {
    events: [
      [
        'FailedToRetrieveImagePullSecret',
        'Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.',
      ],
    ],
  }),
  'too many name servers': ready('dns', {
    page: 'tasks/administer-cluster/dns-debugging-resolution',
    events: [
      [
        'DNSConfigForming',
        'Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.0.0.10 8.8.8.8 1.1.1.1',
      ],
    ],
  }),
  'a pod that is being deleted': {
    page: 'concepts/workloads/pods/pod-lifecycle',
    object: pod('leaving', nginx, [container('nginx', ended(143))], {
      metadata: { deletionTimestamp: '2026-01-01T00:00:50Z', deletionGracePeriodSeconds: 30 },
    }),
    events: [
      ['Killing', 'Stopping container nginx', 'Normal'],
      ['FailedPreStopHook', 'PreStopHook failed'],
    ],
    is: 'healthy',
  },
  'a debug container that ended badly': {
    page: 'tasks/debug/debug-application/debug-running-pod',
    object: pod('ephemeral-demo', nginx, [container('nginx', serves())], {
      status: {
        phase: 'Running',
        containerStatuses: [container('nginx', serves())],
        ephemeralContainerStatuses: [container('debugger-8xzrl', ended(1))],
      },
    }),
    is: 'healthy',
  },
  'a resize that the node cannot do now': ready('resized', {
    page: 'tasks/configure-pod-container/resize-container-resources',
    events: [['ResizeDeferred', "Pod resize Deferred: Node didn't have enough resource: cpu"]],
  }),
  'a readiness probe that has not run yet': ready('soon', {}, runs()),
  'two containers that run': {
    page: 'tasks/access-application-cluster/communicate-containers-same-pod-shared-volume',
    object: pod(
      'two',
      {
        containers: [
          { name: 'a', image: 'nginx' },
          { name: 'b', image: 'debian' },
        ],
      },
      [container('a', serves()), container('b', serves())],
    ),
    is: 'healthy',
  },
  'one of two containers that is done, where none is restarted': {
    page: 'tasks/access-application-cluster/communicate-containers-same-pod-shared-volume',
    object: pod(
      'two-containers',
      {
        restartPolicy: 'Never',
        containers: [
          { name: 'nginx-container', image: 'nginx' },
          { name: 'debian-container', image: 'debian' },
        ],
      },
      [container('nginx-container', serves()), container('debian-container', ended(0))],
    ),
    is: 'healthy',
  },
  'a Windows pod': {
    page: 'concepts/windows/user-guide',
    object: pod(
      'win-webserver',
      {
        os: { name: 'windows' },
        nodeSelector: { 'kubernetes.io/os': 'windows' },
        containers: [{ name: 'windowswebserver', image: 'mcr.microsoft.com/windows/servercore:ltsc2019' }],
      },
      [container('windowswebserver', serves())],
    ),
    is: 'healthy',
  },
  'a deployment that rolls out': {
    page: 'concepts/workloads/controllers/deployment',
    object: controller('Deployment', 'nginx-deployment', nginx, {
      status: {
        replicas: 3,
        updatedReplicas: 1,
        readyReplicas: 2,
        conditions: [
          { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message: 'ReplicaSet "nginx-deployment-1" is progressing.' },
        ],
      },
    }),
    is: 'healthy',
  },
  'a replica set of an older revision': {
    page: 'concepts/workloads/controllers/replicaset',
    object: controller('ReplicaSet', 'nginx-1', nginx, { spec: { replicas: 0 } }),
    is: 'healthy',
  },
  'a job that is suspended': {
    page: 'concepts/workloads/controllers/job',
    object: controller(
      'Job',
      'myjob',
      { restartPolicy: 'Never', ...nginx },
      {
        spec: { suspend: true },
        status: { conditions: [{ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }] },
      },
    ),
    is: 'healthy',
  },
  'a job that is complete though one try failed': {
    page: 'concepts/workloads/controllers/job',
    object: controller(
      'Job',
      'retry',
      { restartPolicy: 'Never', ...nginx },
      {
        status: {
          failed: 1,
          succeeded: 1,
          conditions: [
            { type: 'Complete', status: 'True', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' },
          ],
        },
      },
    ),
    is: 'healthy',
  },
  'a log with an error that was handled': wrote('INFO request 17 failed: upstream returned 502, retrying\nINFO request 17 ok\n'),
  'a log with the word error in a name': wrote('GET /errors/404.html 200\nPOST /api/v1/failed-jobs 201\n'),
  'a log with a stack trace that was caught': wrote(
    'WARN caught java.lang.IllegalStateException: cache cold\n\tat com.example.Cache.get(Cache.java:12)\nINFO serving\n',
  ),
  'a log that counts errors': wrote('errors=0 failures=0 panics=0\nlevel=info msg="0 errors, 0 warnings"\n'),
  'a log with refused connections before the database was up': wrote(
    'connect ECONNREFUSED 10.0.0.7:5432, trying again in 1s\nconnected to database\n',
  ),
  'a log that quotes an out-of-memory kill': wrote('monitor: container other was OOMKilled (exit code 137) on node-3\n'),
};
