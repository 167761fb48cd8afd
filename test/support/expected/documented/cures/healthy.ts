import { after } from '../../../builders/pod.ts';
import type { CureRow } from './cure.ts';
import { container, controller, ended, homeless, node, one, pod, runs, serves, waits } from '../documented.ts';

const http = (more: object = {}) => ({ httpGet: { path: '/', port: 8080 }, ...more });
const refused = (probe: string) =>
  `${probe} probe failed: Get "http://10.0.0.7:8080/": dial tcp 10.0.0.7:8080: connect: connection refused`;

/** Pods that are healthy, or that have not failed yet. */
export const HEALTHY: Record<string, CureRow> = {
  'a startup probe in the middle of its five minutes': {
    object: one('a', runs({ started: false }), { startupProbe: http({ periodSeconds: 10, failureThreshold: 30 }) }),
    events: [['Unhealthy', refused('Startup')]],
    is: 'healthy',
  },
  'a readiness probe before its initial delay': {
    object: one('b', runs(), { readinessProbe: http({ initialDelaySeconds: 60 }) }),
    events: [['Started', 'Started container app', 'Normal']],
    is: 'healthy',
  },
  'a slow readiness probe that failed once': {
    object: one('c', runs(), { readinessProbe: http({ periodSeconds: 30, failureThreshold: 3 }) }),
    events: [['Unhealthy', refused('Readiness')]],
    is: 'healthy',
  },
  'a liveness probe that failed once, and startup is not over': {
    object: one('d', runs({ started: false }), {
      startupProbe: http({ initialDelaySeconds: 20, periodSeconds: 5, failureThreshold: 12 }),
      livenessProbe: http(),
    }),
    events: [['Unhealthy', refused('Startup')]],
    is: 'healthy',
  },
  'an init container whose log moves on': {
    object: pod('e', { initContainers: [{ name: 'migrate', image: 'm' }], containers: [{ name: 'app', image: 'x' }] }, [
      container('migrate', runs()),
      container('app', waits('PodInitializing')),
    ]),
    log: 'migrated 100 of 500 tables\nmigrated 110 of 500 tables\nmigrated 120 of 500 tables\n',
    logOf: 'migrate',
    is: 'healthy',
  },
  'an init container that copies file after file': {
    object: pod('f', { initContainers: [{ name: 'seed', image: 'm' }], containers: [{ name: 'app', image: 'x' }] }, [
      container('seed', runs()),
      container('app', waits('PodInitializing')),
    ]),
    log: 'copying images/a.png\ncopying images/b.png\ncopying images/c.png\ncopying images/d.png\n',
    logOf: 'seed',
    is: 'healthy',
  },
  'a Job that tries again': {
    object: controller(
      'Job',
      'g',
      { restartPolicy: 'Never', containers: [{ name: 'app', image: 'x' }] },
      { status: { active: 1, failed: 1 } },
    ),
    is: 'healthy',
  },
  'a pod that completed': {
    object: pod('h', { restartPolicy: 'OnFailure', containers: [{ name: 'app', image: 'x' }] }, [container('app', ended(0))], {
      status: { phase: 'Succeeded' },
    }),
    is: 'healthy',
  },
  'a long pull': {
    object: one('i', waits('ContainerCreating')),
    events: [['Pulling', 'Pulling image "big:1"', 'Normal']],
    is: 'healthy',
  },
  'a restart long ago': {
    object: one('j', serves()),
    events: [['BackOff', 'Back-off restarting failed container app in pod j']],
    is: 'healthy',
  },
  'a sidecar that serves while the work is done': {
    object: pod(
      'k',
      { initContainers: [{ name: 'proxy', image: 'p', restartPolicy: 'Always' }], containers: [{ name: 'app', image: 'x' }] },
      [container('proxy', serves()), container('app', serves())],
    ),
    is: 'healthy',
  },
  'a mount that failed at first': {
    object: one('l', serves()),
    events: [
      ['FailedMount', 'MountVolume.SetUp failed for volume "c" : configmap "c" not found'],
      ['Pulled', 'Container image already present', 'Normal'],
      ['Started', 'Started container app', 'Normal'],
    ],
    is: 'healthy',
  },
  'a pod that is being deleted': {
    object: (() => {
      const made = one('m', ended(143));
      made.metadata.deletionTimestamp = after(30);
      return made;
    })(),
    is: 'healthy',
  },
  'a node that came a little later': {
    object: one('n', serves()),
    events: [['FailedScheduling', '0/1 nodes are available: 1 Insufficient cpu.']],
    others: [node('a')],
    is: 'healthy',
  },
  'a scheduling gate': {
    object: (() => {
      const made = homeless(
        'o',
        { schedulingGates: [{ name: 'example.com/quota' }] } as object,
        'Scheduling is blocked due to non-empty scheduling gates',
      );
      made.status!.conditions![0]!.reason = 'SchedulingGated';
      return made;
    })(),
    is: 'healthy',
  },
  'a server that could not reach its database at first': {
    object: one('p', serves()),
    log: 'WARN connection refused, retrying in 2 s\nconnected to db:5432\n',
    is: 'healthy',
  },
};
