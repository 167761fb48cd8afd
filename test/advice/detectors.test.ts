import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explanationOf } from '../../src/advice/detectors/explain.ts';
import { DETECTORS, detectorOf } from '../../src/advice/detectors/list.ts';
import { viewOf } from '../../src/advice/detectors/view.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { API_VERSION, MIRROR_LABEL, MIRROR_OF_LABEL, mirrorPodName } from '../../src/crd/mirrorpod.ts';
import { advised } from '../support/builders/advice.ts';
import { ADVICE_CHANGES } from '../support/expected/advice-changes.ts';
import { ADVICE_EVIDENCE } from '../support/expected/advice-evidence.ts';
import { PAST_CASES } from '../support/expected/past-failures.ts';

// Cases for every detector: what it finds and says, and similar objects about which it says nothing. A detector must have both kinds.

const NOW = new Date('2026-05-02T12:00:00Z');

const deployment = (spec: string, { name = 'web', replicas = 2, labels = '{app: web}', meta = '' } = {}): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop${meta}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: ${labels}}
  template:
    metadata: {labels: ${labels}}
    spec: ${spec}
---
`;
const CALM = `{containers: [{name: app, image: 'web:1'}]}`;
const containers = (...names: string[]) => `{containers: [${names.map((name) => `{name: ${name}, image: 'web:1'}`).join(', ')}]}`;
const service = (selector = '{app: web}', rest = '') => `
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: ${selector}, ports: [{port: 80, targetPort: http}]${rest}}
---
`;
const budget = (rule: string, selector = '{app: web}') => `
kind: PodDisruptionBudget
metadata: {name: keep, namespace: shop}
spec: {${rule}, selector: {matchLabels: ${selector}}}
---
`;
const autoscaler = (rest = '', { name = 'web', metadata = '', status = '{}' } = {}) => `
kind: HorizontalPodAutoscaler
metadata: {name: scale, namespace: shop${metadata}}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ${name}}
  maxReplicas: 5
  ${rest}
status: ${status}
---
`;
const pod = (name: string, { labels = '{app: web}', spec = '', status = '', meta = '' } = {}) => `
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: ${labels}, creationTimestamp: '2026-05-01T10:00:00Z'${meta}}
spec: {containers: [{name: app, image: 'web:1'}]${spec}}
status: {phase: Running${status}}
---
`;
const OWNED = `, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: u, controller: true}]`;
const job = (spec: string, { name = 'import', meta = '', status = '{}' } = {}) => `
kind: Job
metadata: {name: ${name}, namespace: shop${meta}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: 'web:1'}]}}, ${spec}}
status: ${status}
---
`;
const cronJob = (spec: string, status = '{}') => `
kind: CronJob
metadata: {name: nightly, namespace: shop}
spec: {schedule: '0 3 * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: 'web:1'}]}}}}, ${spec}}
status: ${status}
---
`;
const probes = (liveness: string, readiness = '') =>
  `{containers: [{name: app, image: 'web:1', livenessProbe: {${liveness}}${readiness && `, readinessProbe: {${readiness}}`}}]}`;
const HTTP = 'httpGet: {path: /health, port: 80}';
const resources = (text: string) => `{containers: [{name: app, image: 'web:1', resources: {${text}}}]}`;
const restarted = (count: number, finishedAt: string, reason = 'Error') =>
  `, containerStatuses: [{name: app, image: 'web:1', ready: true, restartCount: ${count}, lastState: {terminated: {exitCode: 1, reason: ${reason}, finishedAt: '${finishedAt}'}}}]`;
const applied = (version: string) =>
  `, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"${version}","spec":{"replicas":3}}'}`;
const ready = (is: string, since: string) => `, conditions: [{type: Ready, status: '${is}', lastTransitionTime: '${since}'}]`;
const claim = (mode: string) => `
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec: {accessModes: [${mode}]}
---
`;
const ON_CLAIM = `{containers: [{name: app, image: 'web:1'}], volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}`;
const stateful = (volumes: string, path: string, templates = '') => `
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: db}}
  ${templates}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: 'db:1', volumeMounts: [{name: data, mountPath: ${path}}]}], volumes: [${volumes}]}
---
`;
const quota = (used: string) => `
kind: ResourceQuota
metadata: {name: team, namespace: shop}
status: {hard: {requests.cpu: '4', pods: '10'}, used: {requests.cpu: ${used}, pods: '2'}}
---
`;
const CPU = `metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]`;
const limited = (status: string, reason: string) =>
  `{currentReplicas: 5, desiredReplicas: 5, conditions: [{type: ScalingLimited, status: '${status}', reason: ${reason}}]}`;
const certificate = (status: string, ready = "status: 'True', reason: Ready, lastTransitionTime: '2026-01-01T00:00:00Z'") => `
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: web-tls, namespace: shop, labels: {team: edge}}
spec: {secretName: web-tls, issuerRef: {name: letsencrypt, kind: ClusterIssuer}}
status: {conditions: [{type: Ready, ${ready}}]${status && `, ${status}`}}
---
`;
/** The status of a Certificate. cert-manager issues for 90 days and renews 30 days before the end. */
const validity = (notBefore: string, notAfter: string, renewalTime = '') =>
  `notBefore: '${notBefore}', notAfter: '${notAfter}'${renewalTime && `, renewalTime: '${renewalTime}'`}`;
const notReady = (since: string, reason = 'DoesNotExist') => `status: 'False', reason: ${reason}, lastTransitionTime: '${since}'`;
const onNodes = (...nodes: string[]) => nodes.map((node, n) => pod(`web-${n}`, { spec: `, nodeName: ${node}`, meta: OWNED })).join('');

/** Objects that have nothing to do with those of a case. Some detectors find something about them. */
const OTHERS = [
  deployment(probes(HTTP, HTTP), { name: 'other', replicas: 3, labels: '{neighbour: other}' }),
  service('{neighbour: other}').replace('name: web', 'name: other'),
  budget('maxUnavailable: 0', '{neighbour: other}').replace('name: keep', 'name: other'),
  autoscaler('minReplicas: 2', { name: 'other' }).replace('name: scale', 'name: other'),
  claim('ReadWriteMany').replace('name: data', 'name: other'),
  job('backoffLimit: 1', { name: 'other' }),
].join('');

/** Detectors that need several passes. usage.test.ts, pulls.test.ts and configs.test.ts have their cases. */
const OBSERVING = ['config-not-taken-up', 'memory-near-limit', 'requests-far-from-use', 'slow-image-pull'];

interface Finds {
  /** By situation: the objects, the object that the advice is about, and its summary. */
  finds: Record<string, [objects: string, object: string, summary: string]>;
  /** By situation: objects that get no advice. */
  passes: Record<string, string>;
}

const CASES: Record<string, Finds> = {
  'limit-far-above-request': {
    finds: {
      'exactly four times, and a quarter of a GiB more': [
        deployment(resources('requests: {memory: 128Mi}, limits: {memory: 512Mi}')),
        'Deployment/web',
        'Deployment web: app may use up to 4 times the memory that is requested (512Mi against 128Mi).',
      ],
      'the worst of two containers': [
        deployment(
          `{containers: [{name: one, image: 'web:1', resources: {requests: {memory: 512Mi}, limits: {memory: 8Gi}}}, {name: two, image: 'web:1', resources: {requests: {memory: 512Mi}, limits: {memory: 4Gi}}}]}`,
        ),
        'Deployment/web',
        'Deployment web: one and two may use up to 16 times the memory that is requested (8Gi against 512Mi).',
      ],

      'eight times': [
        deployment(resources('requests: {memory: 256Mi}, limits: {memory: 2Gi}')),
        'Deployment/web',
        'Deployment web: app may use up to 8 times the memory that is requested (2Gi against 256Mi).',
      ],
    },
    passes: {
      'no request': deployment(resources('limits: {memory: 2Gi}')),
      'less than four times': deployment(resources('requests: {memory: 513Mi}, limits: {memory: 2Gi}')),

      twice: deployment(resources('requests: {memory: 1Gi}, limits: {memory: 2Gi}')),
      'a large multiple of a very small value': deployment(resources('requests: {memory: 8Mi}, limits: {memory: 64Mi}')),
    },
  },
  'missing-readiness-probe': {
    finds: {
      'behind a Service': [
        deployment(CALM) + service(),
        'Deployment/web',
        'Deployment web is behind Service web, and none of its 1 containers says when it is ready.',
      ],
    },
    passes: {
      'there is one': deployment(probes(HTTP, HTTP)) + service(),
      'no Service': deployment(CALM),
      'scaled to nothing': deployment(CALM, { replicas: 0 }) + service(),
    },
  },
  'no-probes': {
    finds: {
      'five containers': [
        deployment(containers('a', 'b', 'c', 'd', 'e')),
        'Deployment/web',
        'Deployment web has no probe on a, b, c and 2 more.',
      ],
      'four containers': [deployment(containers('a', 'b', 'c', 'd')), 'Deployment/web', 'Deployment web has no probe on a, b, c and d.'],
      'a worker': [deployment(CALM), 'Deployment/web', 'Deployment web has no probe on app.'],
    },
    passes: {
      'it has one': deployment(probes(HTTP)),
      'a Service asks for another one': deployment(CALM) + service(),
      'it has a port, which security checks look at': deployment(
        `{containers: [{name: app, image: 'web:1', ports: [{containerPort: 80}]}]}`,
      ),
    },
  },
  'liveness-equals-readiness': {
    finds: {
      'the same at the same pace': [
        deployment(probes(HTTP, HTTP)),
        'Deployment/web',
        'Deployment web: app is restarted after 30 s by the very check that takes it out of the Service after 30 s.',
      ],
    },
    passes: {
      'liveness has exactly twice the patience': deployment(probes(`${HTTP}, periodSeconds: 20`, HTTP)),
      'no readiness probe': deployment(probes(HTTP)),

      'liveness has more patience': deployment(probes(`${HTTP}, failureThreshold: 6`, HTTP)),
      'another question': deployment(probes('tcpSocket: {port: 80}', HTTP)),
    },
  },
  'hasty-liveness-probe': {
    finds: {
      'the one of two containers': [
        deployment(
          `{containers: [{name: calm, image: 'web:1'}, {name: app, image: 'web:1', livenessProbe: {${HTTP}, failureThreshold: 1}}]}`,
        ),
        'Deployment/web',
        'Deployment web: app is restarted after one missed answer in 10 s.',
      ],
      'a sidecar': [
        deployment(
          `{initContainers: [{name: proxy, image: 'p:1', restartPolicy: Always, livenessProbe: {${HTTP}, periodSeconds: 1}}, {name: init, image: 'i:1', livenessProbe: {${HTTP}, periodSeconds: 1}}], containers: [{name: app, image: 'web:1'}]}`,
        ),
        'Deployment/web',
        'Deployment web: proxy is restarted after 3 missed answers in 3 s.',
      ],

      'one missed answer': [
        deployment(probes(`${HTTP}, failureThreshold: 1`)),
        'Deployment/web',
        'Deployment web: app is restarted after one missed answer in 10 s.',
      ],
      'three in six seconds': [
        deployment(probes(`${HTTP}, periodSeconds: 2`)),
        'Deployment/web',
        'Deployment web: app is restarted after 3 missed answers in 6 s.',
      ],
    },
    passes: {
      'exactly ten seconds': deployment(probes(`${HTTP}, periodSeconds: 5, failureThreshold: 2`)),
      'the defaults': deployment(probes(HTTP)),
    },
  },
  'single-replica': {
    finds: {
      'one behind a Service': [
        deployment(CALM, { replicas: 1 }) + service(),
        'Deployment/web',
        'Deployment web is the only pod behind Service web, without a PodDisruptionBudget.',
      ],
      'an autoscaler that goes down to one': [
        deployment(CALM, { replicas: 3 }) + service() + autoscaler('minReplicas: 1'),
        'Deployment/web',
        'Deployment web is the only pod behind Service web, without a PodDisruptionBudget.',
      ],
    },
    passes: {
      'two replicas': deployment(CALM) + service(),
      'no Service': deployment(CALM, { replicas: 1 }),
      'a budget': deployment(CALM, { replicas: 1 }) + service() + budget('maxUnavailable: 1'),
      'an autoscaler with at least two': deployment(CALM, { replicas: 1 }) + service() + autoscaler('minReplicas: 2'),
    },
  },
  'missing-disruption-budget': {
    finds: {
      'two replicas behind a Service': [
        deployment(CALM) + service(),
        'Deployment/web',
        'Deployment web has 2 replicas, and nothing keeps them from being evicted together.',
      ],
      'pods with more labels than the selector wants': [
        deployment(CALM).replace('metadata: {labels: {app: web}}', 'metadata: {labels: {app: web, version: "7"}}') + service(),
        'Deployment/web',
        'Deployment web has 2 replicas, and nothing keeps them from being evicted together.',
      ],
    },
    passes: {
      'a budget': deployment(CALM) + service() + budget('maxUnavailable: 1'),
      'one replica': deployment(CALM, { replicas: 1 }) + service(),
      'nobody calls it': deployment(CALM),
    },
  },
  'budget-blocks-eviction': {
    finds: {
      'the only pod': [
        deployment(CALM, { replicas: 1 }) + budget('minAvailable: 1'),
        'PodDisruptionBudget/keep',
        'PodDisruptionBudget keep (minAvailable: 1) allows none of the 1 pods of web to be evicted.',
      ],
      'no rule, which means one': [
        deployment(CALM, { replicas: 1 }) + budget('minAvailable: ~').replace('minAvailable: ~, ', ''),
        'PodDisruptionBudget/keep',
        'PodDisruptionBudget keep (minAvailable: 1) allows none of the 1 pods of web to be evicted.',
      ],
      'none of a share': [
        deployment(CALM, { replicas: 3 }) + budget(`maxUnavailable: '0%'`),
        'PodDisruptionBudget/keep',
        'PodDisruptionBudget keep (maxUnavailable: 0%) allows none of the 3 pods of web to be evicted.',
      ],

      'as many as there are': [
        deployment(CALM) + budget('minAvailable: 2'),
        'PodDisruptionBudget/keep',
        'PodDisruptionBudget keep (minAvailable: 2) allows none of the 2 pods of web to be evicted.',
      ],
      'no one unavailable': [
        deployment(CALM, { replicas: 5 }) + budget('maxUnavailable: 0'),
        'PodDisruptionBudget/keep',
        'PodDisruptionBudget keep (maxUnavailable: 0) allows none of the 5 pods of web to be evicted.',
      ],
      'a percentage that rounds to all': [
        deployment(CALM, { replicas: 3 }) + budget(`minAvailable: '70%'`),
        'PodDisruptionBudget/keep',
        'PodDisruptionBudget keep (minAvailable: 70%) allows none of the 3 pods of web to be evicted.',
      ],
    },
    passes: {
      'a small share, rounded up to one': deployment(CALM, { replicas: 3 }) + budget(`maxUnavailable: '10%'`),
      'the autoscaler keeps more': deployment(CALM) + autoscaler('minReplicas: 3') + budget('minAvailable: 2'),
      'a DaemonSet, whose pods no drain evicts':
        deployment(CALM, { replicas: 1 }).replace('kind: Deployment', 'kind: DaemonSet') + budget('maxUnavailable: 0'),

      'one less': deployment(CALM) + budget('minAvailable: 1'),
      'half of them': deployment(CALM) + budget(`minAvailable: '50%'`),
      'it holds for nobody': deployment(CALM) + budget('maxUnavailable: 0', '{app: other}'),
    },
  },
  'budget-selects-nothing': {
    finds: {
      'another label': [
        deployment(CALM) + pod('web-1') + budget('maxUnavailable: 1', '{app: wbe}'),
        'PodDisruptionBudget/keep',
        'The selector of PodDisruptionBudget keep matches none of the 1 pods in the namespace.',
      ],
    },
    passes: {
      'a workload scaled to nothing': deployment(CALM, { replicas: 0 }) + budget('maxUnavailable: 1'),
      'a pod of its own': pod('one') + budget('maxUnavailable: 1'),
    },
  },
  'missing-spread': {
    finds: {
      'two of three, and the other is placed nowhere': [
        deployment(CALM, { replicas: 3 }) + onNodes('a', 'a') + pod('web-9', { meta: OWNED }),
        'Deployment/web',
        '2 of the 2 pods of Deployment web run on one node (a), and no rule spreads them.',
      ],

      'three on one node': [
        deployment(CALM, { replicas: 4 }) + onNodes('a', 'a', 'a', 'b'),
        'Deployment/web',
        '3 of the 4 pods of Deployment web run on one node (a), and no rule spreads them.',
      ],
    },
    passes: {
      'a rule of anti-affinity':
        deployment(`{affinity: {podAntiAffinity: {}}, containers: [{name: app, image: 'web:1'}]}`, { replicas: 3 }) +
        onNodes('a', 'a', 'a'),
      'placed nowhere yet': deployment(CALM, { replicas: 3 }) + pod('web-1', { meta: OWNED }) + pod('web-2', { meta: OWNED }),
      'their pods have ended': deployment(CALM, { replicas: 3 }) + onNodes('a', 'a', 'a').replaceAll('phase: Running', 'phase: Failed'),
      'a DaemonSet': deployment(CALM, { replicas: 3 }).replace('kind: Deployment', 'kind: DaemonSet') + onNodes('a', 'a', 'a'),

      'each on its own': deployment(CALM, { replicas: 3 }) + onNodes('a', 'b', 'c'),
      'a rule':
        deployment(`{topologySpreadConstraints: [{maxSkew: 1}], containers: [{name: app, image: 'web:1'}]}`, { replicas: 3 }) +
        onNodes('a', 'a', 'a'),
      two: deployment(CALM) + onNodes('a', 'a'),
    },
  },
  'autoscaler-without-requests': {
    finds: {
      'memory too, of one of two containers': [
        deployment(
          `{containers: [{name: app, image: 'web:1', resources: {requests: {cpu: 1m, memory: 1Mi}}}, {name: side, image: 's:1', resources: {requests: {cpu: 1m}}}]}`,
        ) + autoscaler(CPU.replace('cpu', 'memory')),
        'HorizontalPodAutoscaler/scale',
        'HorizontalPodAutoscaler scale scales Deployment web by memory, for which side has no request.',
      ],

      'CPU of a container without a request': [
        deployment(CALM) + autoscaler(CPU),
        'HorizontalPodAutoscaler/scale',
        'HorizontalPodAutoscaler scale scales Deployment web by cpu, for which app has no request.',
      ],
    },
    passes: {
      'a share of something else': deployment(CALM) + autoscaler(CPU.replace('cpu', 'ephemeral-storage')),

      'it asks': deployment(resources('requests: {cpu: 1m}')) + autoscaler(CPU),
      'a limit, which counts as the request': deployment(resources('limits: {cpu: 1m}')) + autoscaler(CPU),
      'a number in place of a share': deployment(CALM) + autoscaler(CPU.replace('Utilization, averageUtilization: 80', 'AverageValue')),
    },
  },
  'autoscaler-at-maximum': {
    finds: {
      'too many wanted': [
        autoscaler('', { status: limited('True', 'TooManyReplicas') }),
        'HorizontalPodAutoscaler/scale',
        'HorizontalPodAutoscaler scale keeps Deployment web at its maximum of 5 replicas, although the load needs more.',
      ],
    },
    passes: {
      'it is limited below': autoscaler('', { status: limited('True', 'TooFewReplicas') }),
      'it is not': autoscaler('', { status: limited('False', 'DesiredWithinRange') }),
      'nothing is known yet': autoscaler(''),
    },
  },
  'autoscaler-without-target': {
    finds: {
      'another name': [
        deployment(CALM) + autoscaler('', { name: 'shop' }),
        'HorizontalPodAutoscaler/scale',
        'HorizontalPodAutoscaler scale scales Deployment shop, which does not exist.',
      ],
    },
    passes: {
      'it is there': deployment(CALM) + autoscaler(),
      'of a kind that is not known here': autoscaler().replace('kind: Deployment', 'kind: Rollout'),
    },
  },
  'fixed-replicas-with-autoscaler': {
    finds: {
      'a number that the autoscaler never has': [
        deployment(CALM, { meta: applied('apps/v1') }) + autoscaler('minReplicas: 5'),
        'Deployment/web',
        'The manifest of Deployment web sets 3 replicas, but HorizontalPodAutoscaler scale chooses between 5 and 5.',
      ],

      'both set it': [
        deployment(CALM, { meta: applied('apps/v1') }) + autoscaler('minReplicas: 2'),
        'Deployment/web',
        'The manifest of Deployment web sets 3 replicas, but HorizontalPodAutoscaler scale chooses between 2 and 5.',
      ],
    },
    passes: {
      'both keep the same number':
        deployment(CALM, { meta: applied('apps/v1') }) + autoscaler('minReplicas: 3').replace('maxReplicas: 5', 'maxReplicas: 3'),

      'no autoscaler': deployment(CALM, { meta: applied('apps/v1') }),
      'the manifest omits it': deployment(CALM) + autoscaler('minReplicas: 2'),
    },
  },
  'service-selects-nothing': {
    finds: {
      'one of two labels': [
        deployment(CALM, { labels: '{app: web, tier: front}' }) +
          deployment(CALM, { name: 'api', labels: '{app: api, tier: back}' }) +
          service('{app: web, tier: frnt}'),
        'Service/web',
        'The selector of Service web matches none of the 0 pods in the namespace; Deployment web differs in tier.',
      ],
      'two workloads of another value': [
        deployment(CALM, { labels: '{app: shop}' }) + deployment(CALM, { name: 'api', labels: '{app: api}' }) + service('{app: wbe}'),
        'Service/web',
        'The selector of Service web matches none of the 0 pods in the namespace.',
      ],

      'a slip of the pen': [
        deployment(CALM) + pod('web-1', { meta: OWNED }) + service('{app: wbe}'),
        'Service/web',
        'The selector of Service web matches none of the 1 pods in the namespace; Deployment web differs in app.',
      ],
      'nothing like it': [
        service('{tier: front}'),
        'Service/web',
        'The selector of Service web matches none of the 0 pods in the namespace.',
      ],
    },
    passes: {
      'a pod of no workload': pod('one') + service(),

      'it does': deployment(CALM) + service(),
      'its workload is scaled to nothing': deployment(CALM, { replicas: 0 }) + service(),
      'somebody else keeps its endpoints': service('{}'),
      'another name': service('{app: wbe}', ', type: ExternalName'),
    },
  },
  'service-without-ready-pods': {
    finds: {
      'one that is done does not count': [
        service() +
          pod('web-1', { status: ready('False', '2026-05-02T11:00:00Z') }) +
          pod('migrate', { status: ready('True', '2026-05-02T11:00:00Z') }).replace('Running', 'Succeeded'),
        'Service/web',
        'None of the 1 pods behind Service web is ready.',
      ],

      'it is scheduled and initialized, which is not ready': [
        service() +
          pod('web-1', {
            status: ready('False', '2026-05-02T11:00:00Z').replace('conditions: [', "conditions: [{type: Initialized, status: 'True'}, "),
          }),
        'Service/web',
        'None of the 1 pods behind Service web is ready.',
      ],
      'all unready for long': [
        service() + pod('web-1', { status: ready('False', '2026-05-02T11:00:00Z') }),
        'Service/web',
        'None of the 1 pods behind Service web is ready.',
      ],
    },
    passes: {
      'for exactly two minutes': service() + pod('web-1', { status: ready('False', '2026-05-02T11:58:00Z') }),
      'one of them has just started':
        service() +
        pod('a', { status: ready('False', '2026-05-02T11:00:00Z') }) +
        pod('b', { status: ready('False', '2026-05-02T11:59:00Z') }),

      'one is':
        service() +
        pod('a', { status: ready('False', '2026-05-02T11:00:00Z') }) +
        pod('b', { status: ready('True', '2026-05-02T11:00:00Z') }),
      'they have just started': service() + pod('web-1', { status: ready('False', '2026-05-02T11:59:00Z') }),
      'it wants unready ones':
        service('{app: web}', ', publishNotReadyAddresses: true') + pod('web-1', { status: ready('False', '2026-05-02T11:00:00Z') }),
      'there are none': service(),
    },
  },
  'service-port-without-name': {
    finds: {
      'no port of that name': [
        deployment(`{containers: [{name: app, image: 'web:1', ports: [{name: web, containerPort: 8080}]}]}`) + service(),
        'Service/web',
        'Service web sends port 80 to the container port named http, which web does not have.',
      ],
      'no port has a name': [
        deployment(`{containers: [{name: app, image: 'web:1', ports: [{containerPort: 8080}]}]}`) + service(),
        'Service/web',
        'Service web sends port 80 to the container port named http, which web does not have.',
      ],
    },
    passes: {
      'there is one': deployment(`{containers: [{name: app, image: 'web:1', ports: [{name: http, containerPort: 8080}]}]}`) + service(),
      'a number needs no name': deployment(CALM) + service().replace('targetPort: http', 'targetPort: 8080'),
      'nobody is behind it': service(),
    },
  },
  'overlapping-selectors': {
    finds: {
      'a label in common': [
        deployment(CALM) + deployment(CALM, { name: 'worker', labels: '{app: web, tier: worker}' }),
        'Deployment/web',
        'The selector of Deployment web matches the pods of Deployment worker too.',
      ],
    },
    passes: { 'labels of their own': deployment(CALM) + deployment(CALM, { name: 'worker', labels: '{app: worker}' }) },
  },
  'frequent-restarts': {
    finds: {
      'the worst container of two': [
        pod('one', { status: restarted(5, '2026-05-02T10:00:00Z') }).replace(
          'containerStatuses: [',
          `initContainerStatuses: [{name: proxy, image: 'p:1', ready: true, restartCount: 12, lastState: {terminated: {exitCode: 2, finishedAt: '2026-05-02T11:00:00Z'}}}], containerStatuses: [`,
        ),
        'Pod/one',
        'Container proxy of Pod one has restarted at least 8 times in one pod, last with exit code 2.',
      ],

      'of a Deployment, several pods are one': [
        deployment(CALM) +
          pod('web-1', { meta: OWNED, status: restarted(9, '2026-05-02T10:00:00Z') }) +
          pod('web-2', { meta: OWNED, status: restarted(7, '2026-05-02T11:00:00Z') }),
        'Deployment/web',
        'Container app of Deployment web has restarted at least 8 times in one pod, last with exit code 1 (Error).',
      ],
      'of a bare pod': [
        pod('one', { status: restarted(5, '2026-05-02T10:00:00Z', 'OOMKilled') }),
        'Pod/one',
        'Container app of Pod one has restarted at least 4 times in one pod, last with exit code 1 (OOMKilled).',
      ],
    },
    passes: {
      'a day ago to the second': pod('one', { status: restarted(40, '2026-05-01T12:00:00Z') }),

      seldom: pod('one', { status: restarted(4, '2026-05-02T10:00:00Z') }),
      'long ago': pod('one', { status: restarted(40, '2026-05-01T10:00:00Z') }),
      never: pod('one'),
    },
  },
  'quota-nearly-full': {
    finds: {
      'exactly nine tenths': [quota("'3.6'"), 'ResourceQuota/team', 'ResourceQuota team is 90 % full: requests.cpu 3.6 of 4.'],
      'the fullest of two': [
        quota("'3.8'").replace("pods: '2'", "pods: '10'"),
        'ResourceQuota/team',
        'ResourceQuota team is 100 % full: requests.cpu 3.8 of 4 and pods 10 of 10.',
      ],

      'more than nine tenths': [quota('3800m'), 'ResourceQuota/team', 'ResourceQuota team is 95 % full: requests.cpu 3800m of 4.'],
    },
    passes: {
      'nothing is allowed': quota("'0'").replace("requests.cpu: '4'", "requests.cpu: '0'"),
      'room enough': quota("'3'"),
      'no number': quota('many'),
    },
  },
  'job-without-ttl': {
    finds: {
      'and failed': [
        job('backoffLimit: 1', { status: `{conditions: [{type: FailureTarget, status: 'True'}, {type: Failed, status: 'True'}]}` }),
        'Job/import',
        'Job import has no ttlSecondsAfterFinished, and is failed.',
      ],

      'and complete': [
        job('backoffLimit: 1', { status: `{conditions: [{type: Complete, status: 'True'}]}` }),
        'Job/import',
        'Job import has no ttlSecondsAfterFinished, and is complete.',
      ],
    },
    passes: {
      'it has one': job('ttlSecondsAfterFinished: 60'),
      'its CronJob clears it away': job('backoffLimit: 1', {
        meta: ', ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: nightly, uid: u, controller: true}]',
      }),
    },
  },
  'job-without-deadline': {
    finds: {
      'a Job': [job('backoffLimit: 2'), 'Job/import', 'Job import may run for ever: no activeDeadlineSeconds, and a backoffLimit of 2.'],
      'a CronJob': [cronJob(''), 'CronJob/nightly', 'CronJob nightly may run for ever: no activeDeadlineSeconds, and a backoffLimit of 6.'],
    },
    passes: { 'it has one': job('activeDeadlineSeconds: 60') },
  },
  'cron-job-overlap': {
    finds: {
      'two at once': [cronJob('', '{active: [{}, {}]}'), 'CronJob/nightly', '2 runs of CronJob nightly (0 3 * * *) are under way at once.'],
    },
    passes: { one: cronJob('', '{active: [{}]}'), 'it is forbidden': cronJob('concurrencyPolicy: Forbid', '{active: [{}, {}]}') },
  },
  'shared-single-writer-claim': {
    finds: {
      'two replicas': [
        deployment(ON_CLAIM) + claim('ReadWriteOnce'),
        'Deployment/web',
        '2 replicas of Deployment web share claim data, which is ReadWriteOnce.',
      ],
    },
    passes: {
      'one replica': deployment(ON_CLAIM, { replicas: 1 }) + claim('ReadWriteOnce'),
      'a disk for many': deployment(ON_CLAIM) + claim('ReadWriteOnce, ReadWriteMany'),
      'a claim that is not there': deployment(ON_CLAIM),
    },
  },
  'state-in-empty-dir': {
    finds: {
      'its data': [
        stateful('{name: data, emptyDir: {}}', '/var/lib/db'),
        'StatefulSet/db',
        'StatefulSet db has no volumeClaimTemplates, and keeps /var/lib/db in an emptyDir.',
      ],
    },
    passes: {
      'what is passing': stateful('{name: data, emptyDir: {}}', '/tmp/work'),
      memory: stateful('{name: data, emptyDir: {medium: Memory}}', '/data'),
      'a claim': stateful('{name: data, emptyDir: {}}', '/data', 'volumeClaimTemplates: [{metadata: {name: real}}]'),
      'another volume for a claim': stateful('{name: data, emptyDir: {}}, {name: disk, persistentVolumeClaim: {claimName: disk}}', '/data'),
      'another volume of a driver': stateful('{name: data, emptyDir: {}}, {name: disk, csi: {driver: x}}', '/data'),
      'another volume that is made for each pod': stateful('{name: data, emptyDir: {}}, {name: disk, ephemeral: {}}', '/data'),
    },
  },
  'bare-pod': {
    finds: { 'for a day': [pod('one'), 'Pod/one', 'Pod one has been running without a controller for more than a day.'] },
    passes: {
      'it has one': pod('one', { meta: OWNED }),
      'it was created just now': pod('one').replace('2026-05-01T10', '2026-05-02T10'),
      'it was created a day ago, and not earlier': pod('one').replace('2026-05-01T10', '2026-05-01T12'),
      'it is done': pod('one').replace('Running', 'Succeeded'),
    },
  },
  'certificate-not-renewed': {
    finds: {
      'it expires at this very moment': [
        certificate(validity('2026-02-01T00:00:00Z', '2026-05-02T12:00:00Z', '2026-06-02T00:00:00Z')),
        'Certificate/web-tls',
        'Certificate web-tls expired on 2026-05-02, and was not renewed.',
      ],

      'its time of renewal is two days past': [
        certificate(validity('2026-03-01T00:00:00Z', '2026-05-30T00:00:00Z', '2026-04-30T00:00:00Z')),
        'Certificate/web-tls',
        'Certificate web-tls expires on 2026-05-30, and was not renewed.',
      ],
      'it has expired': [
        certificate(
          validity('2026-02-01T00:00:00Z', '2026-05-02T00:00:00Z', '2026-04-02T00:00:00Z'),
          notReady('2026-05-02T00:00:00Z', 'Expired'),
        ),
        'Certificate/web-tls',
        'Certificate web-tls expired on 2026-05-02, and was not renewed.',
      ],
      'expired, though a renewal is planned': [
        certificate(validity('2026-02-01T00:00:00Z', '2026-05-02T11:59:59Z', '2026-06-02T00:00:00Z')),
        'Certificate/web-tls',
        'Certificate web-tls expired on 2026-05-02, and was not renewed.',
      ],
      'of a day, eight hours left, and six hours late': [
        certificate(validity('2026-05-01T20:00:00Z', '2026-05-02T20:00:00Z', '2026-05-02T06:00:00Z')),
        'Certificate/web-tls',
        'Certificate web-tls expires on 2026-05-02, and was not renewed.',
      ],
      'without a time of renewal, a tenth left': [
        certificate(validity('2026-02-04T00:00:00Z', '2026-05-05T00:00:00Z')),
        'Certificate/web-tls',
        'Certificate web-tls expires on 2026-05-05, and was not renewed.',
      ],
      'never issued for three hours': [
        certificate('', notReady('2026-05-02T09:00:00Z')),
        'Certificate/web-tls',
        'Certificate web-tls has never been issued.',
      ],
      'its end is no instant, and it is not issued': [
        certificate("notAfter: 'soon'", notReady('2026-05-01T09:00:00Z')),
        'Certificate/web-tls',
        'Certificate web-tls has never been issued.',
      ],
    },
    passes: {
      'its renewal is a day late to the second': certificate(
        validity('2026-03-01T00:00:00Z', '2026-06-01T00:00:00Z', '2026-05-01T12:00:00Z'),
      ),
      'not issued for two hours to the second': certificate('', notReady('2026-05-02T10:00:00Z')),
      'not issued, and since when is unknown': certificate('', "status: 'False', reason: DoesNotExist"),
      'only its end is known': certificate("notAfter: '2026-05-03T00:00:00Z'"),

      'it is renewed in a month': certificate(validity('2026-03-20T00:00:00Z', '2026-06-18T00:00:00Z', '2026-05-19T00:00:00Z')),
      'its renewal is an hour late': certificate(validity('2026-03-03T00:00:00Z', '2026-06-01T00:00:00Z', '2026-05-02T11:00:00Z')),
      'of a day, eight hours left, its time of renewal just past': certificate(
        validity('2026-05-01T20:00:00Z', '2026-05-02T20:00:00Z', '2026-05-02T11:00:00Z'),
      ),
      'it began minutes ago and is not issued yet': certificate('', notReady('2026-05-02T11:50:00Z')),
      'valid, but not Ready for another reason': certificate(
        validity('2026-03-20T00:00:00Z', '2026-06-18T00:00:00Z', '2026-05-19T00:00:00Z'),
        notReady('2026-05-01T00:00:00Z', 'SecretMismatch'),
      ),
      'no status': certificate('').replace(/status: .*/, 'status: {}'),
      'its conditions are no list': certificate('').replace(/status: .*/, 'status: {conditions: broken, notAfter: 7}'),
      'its clock is ahead of ours': certificate(validity('2026-05-02T12:10:00Z', '2026-07-31T12:10:00Z', '2026-07-01T12:10:00Z')),
    },
  },
  'deprecated-api': {
    finds: {
      'of an autoscaler': [
        autoscaler('', { metadata: applied('autoscaling/v2beta2') }),
        'HorizontalPodAutoscaler/scale',
        'The manifest of HorizontalPodAutoscaler scale uses apiVersion autoscaling/v2beta2 of HorizontalPodAutoscaler, outdated since Kubernetes 1.26.',
      ],
      'the older version of an autoscaler': [
        autoscaler('', { metadata: applied('autoscaling/v2beta1') }),
        'HorizontalPodAutoscaler/scale',
        'The manifest of HorizontalPodAutoscaler scale uses apiVersion autoscaling/v2beta1 of HorizontalPodAutoscaler, outdated since Kubernetes 1.25.',
      ],
      'of a budget': [
        budget('maxUnavailable: 1').replace('namespace: shop', `namespace: shop${applied('policy/v1beta1')}`),
        'PodDisruptionBudget/keep',
        'The manifest of PodDisruptionBudget keep uses apiVersion policy/v1beta1 of PodDisruptionBudget, outdated since Kubernetes 1.25.',
      ],
      'several things of a pod': [
        deployment(
          `{tolerations: [{operator: Exists}, {key: node-role.kubernetes.io/master}], topologySpreadConstraints: [{topologyKey: failure-domain.beta.kubernetes.io/zone}], affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: beta.kubernetes.io/arch}]}, {}]}}}, containers: [{name: app, image: 'web:1'}]}`,
        ).replace(
          '    metadata: {labels',
          '    metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/app: unconfined, note: x}, labels',
        ),
        'Deployment/web',
        'The manifest of Deployment web uses annotation container.apparmor.security.beta.kubernetes.io/app, label beta.kubernetes.io/arch, label node-role.kubernetes.io/master and label failure-domain.beta.kubernetes.io/zone, outdated since Kubernetes 1.30.',
      ],
      'a label of nodes': [
        deployment(`{nodeSelector: {beta.kubernetes.io/os: linux}, containers: [{name: app, image: 'web:1'}]}`),
        'Deployment/web',
        'The manifest of Deployment web uses label beta.kubernetes.io/os, outdated since Kubernetes 1.18.',
      ],
    },
    passes: {
      'as it is served': deployment(`{nodeSelector: {kubernetes.io/os: linux}, containers: [{name: app, image: 'web:1'}]}`, {
        meta: applied('apps/v1'),
      }),
      'the version of a workload, which a security check sees': deployment(CALM, { meta: applied('extensions/v1beta1') }),
    },
  },
};

/** By detector and situation: what the proposed change says. */
const CHANGES: Record<string, Record<string, string>> = {
  'limit-far-above-request': {
    'the worst of two containers': 'request of `one` towards its actual use, or lower its limit to at most 4 times',
  },
  'missing-readiness-probe': { 'behind a Service': 'readinessProbe:\n  httpGet: {path: /ready, port: 8080}\n  periodSeconds: 5\n' },
  'no-probes': { 'a worker': 'livenessProbe:\n  exec: {command: [/bin/check-progress]}\n  periodSeconds: 30\n  failureThreshold: 4\n' },
  'liveness-equals-readiness': { 'the same at the same pace': 'at least twice the time (`periodSeconds` × `failureThreshold`)' },
  'hasty-liveness-probe': { 'one missed answer': 'livenessProbe:\n  periodSeconds: 10\n  failureThreshold: 6\n  timeoutSeconds: 5\n' },
  'single-replica': {
    'one behind a Service': 'Run two replicas, with a PodDisruptionBudget with `maxUnavailable: 1`.',
    'an autoscaler that goes down to one': 'Set `minReplicas: 2` in HorizontalPodAutoscaler `scale`',
  },
  'missing-disruption-budget': {
    'two replicas behind a Service':
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  name: web\nspec:\n  maxUnavailable: 1\n  selector:\n    matchLabels:\n      app: web\n',
    'pods with more labels than the selector wants': '    matchLabels:\n      app: web\n```',
  },
  'budget-blocks-eviction': {
    'the only pod': 'Run at least two replicas, and set `maxUnavailable: 1`.',
    'as many as there are': 'Set `maxUnavailable: 1` instead',
  },
  'budget-selects-nothing': { 'another label': 'Correct `spec.selector`' },
  'missing-spread': {
    'three on one node':
      '  - maxSkew: 1\n    topologyKey: kubernetes.io/hostname\n    whenUnsatisfiable: ScheduleAnyway\n    labelSelector:\n      matchLabels:\n        app: web\n',
  },
  'autoscaler-without-requests': { 'CPU of a container without a request': 'Give every container of Deployment `web` a request for cpu' },
  'autoscaler-at-maximum': { 'too many wanted': 'Raise `maxReplicas` above 5' },
  'autoscaler-without-target': { 'another name': 'Correct `spec.scaleTargetRef.name`' },
  'fixed-replicas-with-autoscaler': { 'both set it': 'Remove `spec.replicas` from the manifest.' },
  'service-selects-nothing': {
    'one of two labels': 'equal to the labels of the pods of Deployment `web`: `tier: front`.',
    'nothing like it': 'Correct `spec.selector` to labels that the pods have',
  },
  'service-without-ready-pods': { 'all unready for long': 'each of their failures is listed with a diagnosis' },
  'service-port-without-name': {
    'no port of that name': 'Set `targetPort` to one of `web`, or name the port of the container `http`.',
    'no port has a name': 'Name the port of the container `http`, or set `targetPort` to its number.',
  },
  'overlapping-selectors': { 'a label in common': 'its own label, such as `app.kubernetes.io/name: web`' },
  'frequent-restarts': {
    'of a bare pod': 'It runs out of memory: raise the limit',
    'the worst container of two': 'Exit code 137 or 143 can mean that a liveness probe is too strict.',
  },
  'quota-nearly-full': { 'the fullest of two': 'Raise `spec.hard` for `requests.cpu` and `pods`' },
  'job-without-ttl': { 'and complete': 'a day after it finishes:\n\n```yaml\nspec:\n  ttlSecondsAfterFinished: 86400\n' },
  'job-without-deadline': {
    'a Job': '```yaml\nspec:\n  activeDeadlineSeconds: 3600\n  backoffLimit: 3\n',
    'a CronJob': '```yaml\nspec:\n  jobTemplate:\n    spec:\n      activeDeadlineSeconds: 3600\n      backoffLimit: 3\n',
  },
  'cron-job-overlap': {
    'two at once': 'Set `concurrencyPolicy: Forbid` (the next run is skipped) or `Replace` (the running one is ended)',
  },
  'shared-single-writer-claim': {
    'two replicas': 'a PersistentVolumeClaim with `ReadWriteMany`, or one replica with `strategy: {type: Recreate}`',
  },
  'state-in-empty-dir': { 'its data': 'a volume from `volumeClaimTemplates`' },
  'bare-pod': { 'for a day': 'Run it as a Deployment (one replica is enough), or as a Job if it is meant to end.' },
  'certificate-not-renewed': { 'it has expired': 'then `cmctl renew web-tls` tries at once.' },
  'deprecated-api': {
    'of an autoscaler': '- `apiVersion autoscaling/v2beta2 of HorizontalPodAutoscaler`: use autoscaling/v2',
    'several things of a pod':
      '- `annotation container.apparmor.security.beta.kubernetes.io/app`: use securityContext.appArmorProfile\n- `label',
  },
};
/** Of detectors that see more than the template of one workload: the labels and images of the first case, which Suppressions match. */
const MATCHED: Record<string, [labels: object | undefined, images: string[] | undefined]> = {
  'budget-blocks-eviction': [{ app: 'web' }, undefined],
  'autoscaler-without-requests': [{ app: 'web' }, undefined],
  'autoscaler-at-maximum': [undefined, undefined],
  'service-without-ready-pods': [{ app: 'web' }, undefined],
  'service-port-without-name': [{ app: 'web' }, undefined],
  'frequent-restarts': [{ app: 'web' }, ['p:1']],
  'bare-pod': [{ app: 'web' }, ['web:1']],
  'certificate-not-renewed': [{ team: 'edge' }, undefined],
  'deprecated-api': [undefined, undefined],
};

const detectors = suite('detectors');
for (const [id, { finds, passes }] of Object.entries(CASES)) {
  for (const [situation, [objects, object, summary]] of Object.entries(finds)) {
    detectors(`${id}: ${situation}`, () => {
      const found = advised(id, objects, NOW);
      assert.equal(
        found.map(({ kind, name, summary: said }) => [`${kind}/${name}`, said]),
        [[object, summary]],
      );
      const [{ evidence, change } = { evidence: {}, change: '' }] = found;
      assert.match(JSON.stringify(evidence), /\d|"/, 'evidence');
      assert.ok(change.includes(CHANGES[id]?.[situation] ?? ''), change);
      // A null would mean that a space after a colon is missing.
      for (const [, block = ''] of change.matchAll(/```yaml\n(.*?)\n```/gs))
        assert.not.match(JSON.stringify(loadManifests(block)), 'null', block);
      const { title } = detectorOf(id)!;
      const text = explanationOf({ detector_id: id, title, summary, evidence, recommended_change: change });
      for (const part of [summary, '### Why it matters', '### What was seen', '### What to do', change])
        assert.ok(text.includes(part), part);
    });
  }
  for (const [situation, objects] of Object.entries(passes))
    detectors(`${id} says nothing: ${situation}`, () => assert.equal(advised(id, objects, NOW), []));
  detectors(`${id} shows what it saw, and says what to do`, () => {
    const [[objects] = ['']] = Object.values(finds);
    const [found] = advised(id, objects, NOW);
    assert.equal(found?.evidence, ADVICE_EVIDENCE[id]);
    assert.is(found?.change, ADVICE_CHANGES[id]);
    if (MATCHED[id]) assert.equal([found?.labels, found?.images], MATCHED[id]);
    for (const situation of Object.keys(CHANGES[id] ?? { 'no change is tested': '' })) assert.ok(finds[situation], situation);
  });
  detectors(`${id} looks only at what belongs together`, () => {
    for (const objects of [...Object.values(finds).map(([all]) => all), ...Object.values(passes)]) {
      const said = (all: string) => advised(id, all, NOW).map(({ kind, name, summary }) => [kind, name, summary]);
      const alone = said(objects);
      for (const all of [OTHERS + objects, `${objects}\n---\n${OTHERS}`])
        assert.equal(
          said(all).filter(([, name]) => name !== 'other'),
          alone,
        );
    }
  });
}

detectors('deprecated-api knows the annotations and labels that were replaced', () => {
  const FIELD = 'securityContext.seccompProfile';
  const rows: [use: string, since: string, instead: string][] = [
    ['annotation seccomp.security.alpha.kubernetes.io/pod', '1.27', FIELD],
    ['annotation container.seccomp.security.alpha.kubernetes.io/app', '1.27', FIELD],
    ['annotation container.apparmor.security.beta.kubernetes.io/app', '1.30', 'securityContext.appArmorProfile'],
    ['annotation scheduler.alpha.kubernetes.io/critical-pod', '1.16', 'priorityClassName, tolerations and affinity'],
    ['label beta.kubernetes.io/os', '1.18', 'kubernetes.io/os, kubernetes.io/arch, node.kubernetes.io/instance-type'],
    ['label beta.kubernetes.io/arch', '1.18', 'kubernetes.io/os, kubernetes.io/arch, node.kubernetes.io/instance-type'],
    ['label beta.kubernetes.io/instance-type', '1.18', 'kubernetes.io/os, kubernetes.io/arch, node.kubernetes.io/instance-type'],
    ['label failure-domain.beta.kubernetes.io/region', '1.17', 'topology.kubernetes.io/zone and /region'],
    ['label node-role.kubernetes.io/master', '1.25', 'node-role.kubernetes.io/control-plane'],
  ];
  for (const [use, since, instead] of rows) {
    const [what, key] = use.split(' ');
    const plain = deployment(what === 'label' ? `{nodeSelector: {${key}: a}, ${CALM.slice(1)}` : CALM);
    const objects = what === 'label' ? plain : plain.replace('    metadata: {labels', `    metadata: {annotations: {${key}: a}, labels`);
    assert.equal(advised('deprecated-api', objects, NOW)[0]?.evidence, { uses: [{ use, since, instead }] });
  }
});

detectors('every detector has cases of both kinds, a name of its own, and says why', () => {
  assert.equal(DETECTORS.map(({ id }) => id).sort(), [...Object.keys({ ...CASES, ...PAST_CASES }), ...OBSERVING].sort());
  for (const { finds, passes } of [...Object.values(CASES), ...Object.values(PAST_CASES)])
    assert.ok(Object.keys(finds).length > 0 && Object.keys(passes).length > 0);
  for (const { id, title, why, requires } of DETECTORS) {
    assert.match(id, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(title.length > 10 && why.length > 60 && requires.length > 0, id);
  }
});

detectors('no detector looks at mirrors, or at objects that are being deleted', () => {
  const going = viewOf('shop', {
    Deployment: [{ metadata: { name: 'a', deletionTimestamp: '2026-05-01T10:00:00Z' }, spec: { template: { spec: { containers: [] } } } }],
  });
  assert.equal([going.workloads, going.servers], [[], []]);
  const labels = { [MIRROR_LABEL]: 'true', [MIRROR_OF_LABEL]: 'uid-1' };
  const ownerReferences = [{ apiVersion: API_VERSION, kind: 'MirrorPod', name: 'try', uid: 'uid-1', controller: true }];
  const podOf = (name: string) => ({ metadata: { name, labels, ownerReferences }, spec: { containers: [] } });
  const { pods } = viewOf('shop', { Pod: [podOf(mirrorPodName('web', 'uid-1')), podOf('not-of-that-name')] });
  assert.equal(
    pods.map(({ metadata }) => metadata.name),
    ['not-of-that-name'],
  );
});

detectors('empty and odd objects break no detector', () => {
  const bare = {
    metadata: {},
    spec: { template: { spec: { containers: [] } }, jobTemplate: { spec: { template: { spec: { containers: [] } } } } },
  };
  const names = [
    'Deployment',
    'StatefulSet',
    'DaemonSet',
    'Job',
    'CronJob',
    'Service',
    'PodDisruptionBudget',
    'ResourceQuota',
    'PersistentVolumeClaim',
    'Certificate',
  ];
  const view = viewOf('shop', {
    ...Object.fromEntries(names.map((name) => [name, [bare]])),
    Pod: [{ metadata: {}, spec: { containers: [] } }],
    HorizontalPodAutoscaler: [{ metadata: {}, spec: { scaleTargetRef: { kind: '', name: '' }, maxReplicas: 1 } }],
  } as never);
  for (const { id, run } of DETECTORS) assert.ok(Array.isArray(run(view, NOW)), id);
});

detectors('backticks in evidence do not end the code span', () => {
  const text = explanationOf({
    detector_id: 'gone',
    title: 'A title',
    summary: 's',
    evidence: { path: '/a`b', none: null },
    recommended_change: 'c',
  });
  assert.match(text, '- path: `` /a`b ``');
  assert.match(text, 'A title');
  assert.not.match(text, 'none');
});

detectors('advice about several resources names all of them', () => {
  const [found] = advised('quota-nearly-full', quota("'3.8'").replace("pods: '2'", "pods: '10'"), NOW);
  assert.match(found?.change ?? '', /`requests\.cpu` and `pods`/);
});

detectors.run();
