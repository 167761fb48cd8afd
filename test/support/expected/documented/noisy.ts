import type { Pod } from '../../../../src/crd/kubernetes.ts';
import { after } from '../../builders/pod.ts';
import { container, controller, type Documented, ended, one, pod, runs, serves, waits } from './documented.ts';

// Pods that work but look as if they failed. Written before anybody asked a rule about them.

const web = { containers: [{ name: 'app', image: 'nginx' }] };
const fine = (object: Documented['object'], more: Partial<Documented> = {}): Documented => ({
  page: 'health',
  object,
  ...more,
  is: 'healthy',
});
const wrote = (log: string): Documented => fine(one('a', serves()), { log });

const with_ = (made: Pod, metadata: object): Pod => ({ ...made, metadata: { ...made.metadata, ...metadata } });

/** Pods that the diagnosis must leave alone. */
export const NOISY: Record<string, Documented> = {
  'zap tells of errors that are answered': wrote(
    '{"level":"error","ts":1714557600.1,"caller":"http/server.go:80","msg":"request failed","error":"dial tcp 10.0.0.1:5432: connect: connection refused"}\n{"level":"info","msg":"listening on :8080"}\n',
  ),
  'a trace of Java in a log': wrote(
    'java.lang.NullPointerException: null\n\tat com.acme.Orders.find(Orders.java:12)\nCaused by: java.net.ConnectException: Connection refused\n',
  ),
  'a panic that was caught': wrote(
    '2025/05/01 10:00:00 http: panic serving 10.0.0.9:5123: runtime error: index out of range [3] with length 3\ngoroutine 18 [running]:\n',
  ),
  'a log that quotes Kubernetes': wrote('pod shop/web-1 is in CrashLoopBackOff (OOMKilled, exit code 137)\nImagePullBackOff\n'),
  'a sidecar of its own that restarted once': fine(
    pod('a', { initContainers: [{ name: 'proxy', image: 'envoy', restartPolicy: 'Always' }], ...web }, [
      container('proxy', { ...serves(), restartCount: 1, lastState: ended(1).state! }),
      container('app', serves()),
    ]),
  ),
  'an init container that ended well': fine(
    pod('a', { initContainers: [{ name: 'init', image: 'busybox' }], ...web }, [
      container('init', { ...ended(0), ready: true }),
      container('app', serves()),
    ]),
  ),
  'a run of a CronJob that wrote errors': fine(
    pod('nightly-1-x', { restartPolicy: 'OnFailure', ...web }, [container('app', ended(0))], { status: { phase: 'Succeeded' } }),
    { log: 'ERROR: 3 rows were skipped\nfatal: none\n' },
  ),
  'a container that was restarted and works': fine(one('a', { ...serves(), restartCount: 2, lastState: ended(143).state! })),
  'a pod of Windows': fine(
    one('a', serves(), { image: 'mcr.microsoft.com/windows/nanoserver:ltsc2022' }, { nodeSelector: { 'kubernetes.io/os': 'windows' } }),
  ),
  'twelve gigabytes on their way': fine(one('a', waits('ContainerCreating'), { image: 'nvcr.io/nvidia/pytorch:24.03-py3' }), {
    events: [
      ['Scheduled', 'Successfully assigned default/a to gpu-1', 'Normal'],
      ['Pulling', 'Pulling image "nvcr.io/nvidia/pytorch:24.03-py3"', 'Normal'],
    ],
  }),
  'a probe that failed before the pod was ready': fine(one('a', serves(), { readinessProbe: { httpGet: { port: 80 } } }), {
    events: [['Unhealthy', 'Readiness probe failed: Get "http://10.244.0.5:80/": dial tcp 10.244.0.5:80: connect: connection refused']],
  }),
  'a probe that was redirected': fine(one('a', serves(), { livenessProbe: { httpGet: { port: 80 } } }), {
    events: [['ProbeWarning', 'Liveness probe warning: Probe terminated redirects, Response body: <a href="/login">Found</a>.']],
  }),
  'a pod that somebody deletes': fine(
    with_(pod('a', web, [container('app', ended(143))]), { deletionTimestamp: after(30), deletionGracePeriodSeconds: 30 }),
  ),
  'a Job, one pod of which failed before another runs': fine(
    controller('Job', 'a', { restartPolicy: 'Never', ...web }, { spec: { backoffLimit: 6 }, status: { failed: 1, active: 1, ready: 1 } }),
  ),
  'a Job that is suspended': fine(
    controller(
      'Job',
      'a',
      { restartPolicy: 'Never', ...web },
      {
        spec: { suspend: true },
        status: { conditions: [{ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }] },
      },
    ),
  ),
  'a resize that waits': fine(
    pod('a', web, [container('app', serves())], {
      status: {
        phase: 'Running',
        conditions: [
          { type: 'PodScheduled', status: 'True' },
          { type: 'Ready', status: 'True' },
          {
            type: 'PodResizePending',
            status: 'True',
            reason: 'Deferred',
            message: "Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000",
          },
        ],
      },
    } as Partial<Pod>),
  ),
  'a debugger that was killed': fine(
    pod('a', web, [container('app', serves())], {
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        ephemeralContainerStatuses: [container('debugger-x', ended(137))],
      },
    } as unknown as Partial<Pod>),
  ),
  'a place that was found at last': fine(one('a', serves()), {
    events: [
      ['FailedScheduling', '0/3 nodes are available: 3 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.'],
      ['TriggeredScaleUp', 'pod triggered scale-up: [{pool-1 3->4 (max: 10)}]', 'Normal'],
      ['Scheduled', 'Successfully assigned default/a to pool-1-x', 'Normal'],
      ['Started', 'Started container app', 'Normal'],
    ],
  }),
  'a volume that came late': fine(one('a', serves()), {
    events: [
      [
        'FailedMount',
        'MountVolume.SetUp failed for volume "kube-api-access-x" : failed to sync configmap cache: timed out waiting for the condition',
      ],
      ['Started', 'Started container app', 'Normal'],
    ],
  }),
  'a ReplicaSet that wants nothing': fine(controller('ReplicaSet', 'a', web, { spec: { replicas: 0 }, status: { replicas: 0 } })),
  'a DaemonSet without nodes': fine(
    controller('DaemonSet', 'a', web, { status: { desiredNumberScheduled: 0, currentNumberScheduled: 0, numberReady: 0 } }),
  ),
  'a pod that starts again by its own rule': fine(
    one('a', { ...serves(), restartCount: 1, lastState: ended(42).state! }, {
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
    } as object),
  ),
  'an application that has just begun': fine(
    one('a', runs({ started: false }), { startupProbe: { httpGet: { port: 8080 }, failureThreshold: 60 } }),
  ),
};
