/** The advice of each detector for the first of its cases in advice/detectors.test.ts, word for word. */
export const ADVICE_CHANGES: Readonly<Record<string, string>> = {
  'limit-far-above-request': 'Raise the request of `app` towards its actual use, or lower its limit to at most 4 times the request.',
  'missing-readiness-probe': [
    'Add a readiness probe to the container that answers requests:',
    '',
    '```yaml',
    'readinessProbe:',
    '  httpGet: {path: /ready, port: 8080}',
    '  periodSeconds: 5',
    '```',
  ].join('\n'),
  'no-probes': [
    'Let the kubelet restart a container that hangs:',
    '',
    '```yaml',
    'livenessProbe:',
    '  exec: {command: [/bin/check-progress]}',
    '  periodSeconds: 30',
    '  failureThreshold: 4',
    '```',
  ].join('\n'),
  'liveness-equals-readiness':
    'Let the liveness probe check only the process itself, not a database or another service. Or give it at least twice the time (`periodSeconds` × `failureThreshold`) of the readiness probe.',
  'hasty-liveness-probe': [
    'Let the probe tolerate a short slowdown:',
    '',
    '```yaml',
    'livenessProbe:',
    '  periodSeconds: 10',
    '  failureThreshold: 6',
    '  timeoutSeconds: 5',
    '```',
  ].join('\n'),
  'single-replica':
    'Run two replicas, with a PodDisruptionBudget with `maxUnavailable: 1`. If only one replica may run at a time, document this with a Suppression.',
  'missing-disruption-budget': [
    '```yaml',
    'apiVersion: policy/v1',
    'kind: PodDisruptionBudget',
    'metadata:',
    '  name: web',
    'spec:',
    '  maxUnavailable: 1',
    '  selector:',
    '    matchLabels:',
    '      app: web',
    '```',
  ].join('\n'),
  'budget-blocks-eviction': 'Run at least two replicas, and set `maxUnavailable: 1`. A single pod cannot be moved without an interruption.',
  'budget-selects-nothing': 'Correct `spec.selector` so that it matches the labels of the pods, or delete the budget.',
  'missing-spread': [
    '```yaml',
    'topologySpreadConstraints:',
    '  - maxSkew: 1',
    '    topologyKey: kubernetes.io/hostname',
    '    whenUnsatisfiable: ScheduleAnyway',
    '    labelSelector:',
    '      matchLabels:',
    '        app: web',
    '```',
  ].join('\n'),
  'autoscaler-without-requests':
    'Give every container of Deployment `web` a request for memory, including sidecars, or scale by a single container (`type: ContainerResource`).',
  'autoscaler-at-maximum':
    'Raise `maxReplicas` above 5 if the nodes and the services that the workload depends on can handle it, or let each replica handle more load.',
  'autoscaler-without-target': 'Correct `spec.scaleTargetRef.name`, or delete the autoscaler.',
  'fixed-replicas-with-autoscaler':
    'Remove `spec.replicas` from the manifest. The first time, use `kubectl apply edit-last-applied`, so that the workload is not scaled to one.',
  'service-selects-nothing': 'Make `spec.selector` equal to the labels of the pods of Deployment `web`: `tier: front`.',
  'service-without-ready-pods': 'Find out why the pods are not ready: each of their failures is listed with a diagnosis.',
  'service-port-without-name': 'Set `targetPort` to one of `web`, or name the port of the container `http`.',
  'overlapping-selectors':
    'Give each workload its own label, such as `app.kubernetes.io/name: web`, in its template and its selector. A selector cannot be changed, so you must create the workload again.',
  'frequent-restarts':
    'Read the last lines before the restart: `kubectl logs --previous`. Exit code 137 or 143 can mean that a liveness probe is too strict.',
  'quota-nearly-full': 'Raise `spec.hard` for `requests.cpu`, or lower requests that are above what is used.',
  'job-without-ttl': [
    'Let the cluster delete it a day after it finishes:',
    '',
    '```yaml',
    'spec:',
    '  ttlSecondsAfterFinished: 86400',
    '```',
  ].join('\n'),
  'job-without-deadline': [
    'Set a deadline of twice the time that a slow run takes:',
    '',
    '```yaml',
    'spec:',
    '  activeDeadlineSeconds: 3600',
    '  backoffLimit: 3',
    '```',
  ].join('\n'),
  'cron-job-overlap':
    'Set `concurrencyPolicy: Forbid` (the next run is skipped) or `Replace` (the running one is ended), and give its Jobs an `activeDeadlineSeconds`.',
  'shared-single-writer-claim':
    'Use a StatefulSet with `volumeClaimTemplates` (a disk for each replica), a PersistentVolumeClaim with `ReadWriteMany`, or one replica with `strategy: {type: Recreate}`.',
  'state-in-empty-dir': 'Store the data in a volume from `volumeClaimTemplates`, or use a Deployment if no data must be kept.',
  'bare-pod': 'Run it as a Deployment (one replica is enough), or as a Job if it is meant to end.',
  'certificate-not-renewed':
    "`kubectl describe certificate web-tls` names its CertificateRequest, and with ACME its Order and Challenge: the last of them says what failed. Mend that (the issuer, its credentials, DNS or the challenge's route), then `cmctl renew web-tls` tries at once.",
  'deprecated-api': '- `apiVersion autoscaling/v2beta2 of HorizontalPodAutoscaler`: use autoscaling/v2',
};
