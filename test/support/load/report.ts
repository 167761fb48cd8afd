const REASONS = ['ImagePullBackOff', 'CrashLoopBackOff', 'Unschedulable', 'OOMKilled', 'CreateContainerConfigError'];
const IMAGE = 'registry.example.test/shop/app:1.14.2';
const LOGS = Array.from(
  { length: 22 },
  (_, n) =>
    `2026-05-01T10:00:${String(n).padStart(2, '0')}.123Z ERROR worker-${n % 4} connection to db.internal:5432 refused, retry in ${n}s`,
).join('\n');

/** The nth report of a load as JSON, about 7.8 KB like a real one. Each is about its own pod `<prefix>-<n>`. */
export function loadReport(n: number, prefix: string): string {
  const name = `${prefix}-${n}`;
  const namespace = `team-${n % 20}`;
  const reason = REASONS[n % REASONS.length] ?? '';
  const now = new Date().toISOString();
  return JSON.stringify({
    pod_name: name,
    namespace,
    node_name: `node-${n % 12}`,
    failure_reason: reason,
    failure_message: `Container app in pod ${name} is not running: ${reason}, see the events for the last attempts`,
    creation_timestamp: now,
    events: Array.from({ length: 5 }, (_, e) => ({
      type: e ? 'Warning' : 'Normal',
      reason: e ? 'Failed' : 'Scheduled',
      timestamp: now,
      message: `Attempt ${e} for ${namespace}/${name}: failed to pull and unpack image "${IMAGE}": failed to resolve reference "${IMAGE}": unexpected status from HEAD request: 403 Forbidden`,
    })),
    container_statuses: ['app', 'proxy'].map((container, k) => ({
      name: container,
      ready: k === 1,
      restart_count: n % 9,
      image: IMAGE,
      state: k ? 'running' : 'waiting',
      reason: k ? null : reason,
      message: k ? null : `Back-off pulling image "${IMAGE}"`,
      exit_code: k ? null : 1,
    })),
    manifest: loadManifest(name, namespace),
    logs: LOGS,
  });
}

/** The manifest of a pod as YAML, about 3 KB. */
export function loadManifest(name: string, namespace: string): string {
  const env = Array.from({ length: 24 }, (_, n) => `    - name: APP_SETTING_${n}\n      value: "value-of-setting-${n}-for-${name}"`).join(
    '\n',
  );
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: ${namespace}
  labels:
    app: checkout
    app.kubernetes.io/name: checkout
    pod-template-hash: 7d9c5b6f4
spec:
  serviceAccountName: checkout
  containers:
${container('app')}    env:\n${env}
${container('proxy')}  volumes:
  - name: config
    configMap:
      name: checkout-config
  nodeSelector:
    kubernetes.io/os: linux
  restartPolicy: Always
`;
}

function container(name: string): string {
  return `  - name: ${name}
    image: registry.example.test/shop/${name}:1.14.2
    ports:
    - containerPort: 8080
    resources:
      requests:
        cpu: 100m
        memory: 128Mi
      limits:
        memory: 256Mi
    livenessProbe:
      httpGet:
        path: /live
        port: 8080
      periodSeconds: 10
    volumeMounts:
    - name: config
      mountPath: /etc/${name}
`;
}
