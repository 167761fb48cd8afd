import { container, type Documented, loops, one, pod, runs, waits } from './documented.ts';

const PAGE = 'tasks/configure-pod-container/configure-liveness-readiness-startup-probes';

const http = (path: string, port: number | string) => ({ httpGet: { path, port } });
const unready = (probe: object, message: string, spec = {}) => ({
  page: PAGE,
  object: one('probed', runs(), { readinessProbe: probe, ...spec }),
  events: [['Unhealthy', `Readiness probe failed: ${message}`]] as NonNullable<Documented['events']>,
});

/** Probes that fail. */
export const PROBES: Record<string, Documented> = {
  'a liveness command whose file is gone': {
    page: PAGE,
    object: one('liveness-exec', loops(137), {
      name: 'liveness',
      args: ['/bin/sh', '-c', 'touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600'],
      livenessProbe: { exec: { command: ['cat', '/tmp/healthy'] }, initialDelaySeconds: 5, periodSeconds: 5 },
    }),
    events: [
      ['Unhealthy', "Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory"],
      ['Killing', 'Container liveness failed liveness probe, will be restarted', 'Normal'],
    ],
    is: { reason: 'Unhealthy', culprit: /\/tmp\/healthy/ },
  },
  'a liveness request that answers 500': {
    page: PAGE,
    object: one('liveness-http', loops(2), {
      name: 'liveness',
      image: 'registry.k8s.io/e2e-test-images/agnhost:2.40',
      livenessProbe: http('/healthz', 8080),
    }),
    events: [
      ['Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 500'],
      ['Killing', 'Container liveness failed liveness probe, will be restarted', 'Normal'],
    ],
    is: { reason: 'Unhealthy', culprit: /500|\/healthz/ },
  },
  'a path that the server does not know': {
    ...unready(http('/helathz', 8080), 'HTTP probe failed with statuscode: 404'),
    is: { reason: 'Unhealthy', culprit: /\/helathz/ },
  },
  'a port that nobody opens, while the log names another': {
    ...unready({ tcpSocket: { port: 8080 } }, 'dial tcp 10.244.1.5:8080: connect: connection refused'),
    log: 'INFO loaded configuration\nINFO Server listening on port 9090\n',
    is: { reason: 'Unhealthy', culprit: /8080/, fix: ['spec.containers[0].readinessProbe.tcpSocket.port'] },
  },
  'a gRPC service that says no': {
    ...unready({ grpc: { port: 2379 } }, 'service unhealthy (responded with "NOT_SERVING")'),
    is: { reason: 'Unhealthy', culprit: /NOT_SERVING|2379/ },
  },
  'a gRPC port that nobody opens': {
    ...unready({ grpc: { port: 2380 } }, 'timeout: failed to connect service "10.244.1.5:2380" within 1s: context deadline exceeded'),
    is: { reason: 'Unhealthy', culprit: /2380/ },
  },
  'a gRPC server without health checking': {
    ...unready(
      { grpc: { port: 50051 } },
      'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service grpc.health.v1.Health',
    ),
    is: { reason: 'Unhealthy', culprit: /grpc|50051/i },
  },
  'a server that needs longer than a second': {
    ...unready(
      { ...http('/ready', 8080), timeoutSeconds: 1 },
      'Get "http://10.244.1.5:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ),
    is: { reason: 'Unhealthy', culprit: /timeoutSeconds|\/ready|8080/, fix: ['spec.containers[0].readinessProbe.timeoutSeconds'] },
  },
  'the same in the words of older kubelets': {
    ...unready(
      { ...http('/ready', 8080), timeoutSeconds: 1 },
      'Get http://10.244.1.5:8080/ready: net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
    ),
    is: { reason: 'Unhealthy', culprit: /timeoutSeconds|\/ready|8080/ },
  },
  'https asked of a server without TLS': {
    ...unready(
      { httpGet: { path: '/', port: 8080, scheme: 'HTTPS' } },
      'Get "https://10.244.1.5:8080/": http: server gave HTTP response to HTTPS client',
    ),
    is: { reason: 'Unhealthy', culprit: /HTTPS|8080/, fix: ['spec.containers[0].readinessProbe.httpGet.scheme'] },
  },
  'http asked of a server with TLS': {
    ...unready(
      http('/', 8443),
      'Get "http://10.244.1.5:8443/": net/http: HTTP/1.x transport connection broken: malformed HTTP response "\\x15\\x03\\x01\\x00\\x02\\x02"',
    ),
    is: { reason: 'Unhealthy', culprit: /8443|HTTP/ },
  },
  'a command that does not come back': {
    ...unready({ exec: { command: ['pg_isready'] }, timeoutSeconds: 1 }, 'command "pg_isready" timed out'),
    is: { reason: 'Unhealthy', culprit: /pg_isready/, fix: ['spec.containers[0].readinessProbe.timeoutSeconds'] },
  },
  'a command that the image has not': {
    ...unready(
      { exec: { command: ['grpc_health_probe', '-addr=:5000'] } },
      'OCI runtime exec failed: exec failed: unable to start container process: exec: "grpc_health_probe": executable file not found in $PATH: unknown',
    ),
    is: { reason: 'Unhealthy', culprit: /grpc_health_probe/ },
  },
  'a named port that nobody named so': {
    ...unready(http('/healthz', 'livness-port'), 'strconv.Atoi: parsing "livness-port": invalid syntax', {
      ports: [{ name: 'liveness-port', containerPort: 8080 }],
    }),
    is: { reason: 'Unhealthy', culprit: /livness-port/, fix: ['spec.containers[0].readinessProbe.httpGet.port'] },
  },
  'a start that takes longer than the liveness probe waits': {
    page: PAGE,
    object: one('slow', loops(143), { livenessProbe: { ...http('/healthz', 8080), periodSeconds: 1, failureThreshold: 1 } }),
    events: [
      ['Unhealthy', 'Liveness probe failed: Get "http://10.244.1.5:8080/healthz": dial tcp 10.244.1.5:8080: connect: connection refused'],
      ['Killing', 'Container app failed liveness probe, will be restarted', 'Normal'],
    ],
    log: 'loading model weights, this takes two minutes\n',
    is: { reason: 'Unhealthy', culprit: /8080/, fix: ['spec.containers[0].startupProbe'] },
  },
  'a startup probe that never succeeds': {
    page: PAGE,
    object: one('legacy', loops(137), { startupProbe: { ...http('/healthz', 8080), failureThreshold: 3, periodSeconds: 1 } }),
    events: [
      ['Unhealthy', 'Startup probe failed: HTTP probe failed with statuscode: 503'],
      ['Killing', 'Container app failed startup probe, will be restarted', 'Normal'],
    ],
    is: { reason: 'Unhealthy', culprit: /503|\/healthz/ },
  },
  'a sidecar that never starts': {
    page: 'concepts/workloads/pods/sidecar-containers',
    object: pod(
      'with-proxy',
      {
        initContainers: [
          { name: 'proxy', image: 'envoy:1', restartPolicy: 'Always', startupProbe: { ...http('/ready', 15021), failureThreshold: 3 } },
        ],
        containers: [{ name: 'app', image: 'nginx' }],
      },
      [container('proxy', loops(137)), container('app', waits('PodInitializing'))],
    ),
    events: [
      ['Unhealthy', 'Startup probe failed: Get "http://10.244.1.5:15021/ready": dial tcp 10.244.1.5:15021: connect: connection refused'],
      ['Killing', 'Init container proxy failed startup probe', 'Normal'],
    ],
    is: { reason: 'Unhealthy', culprit: /15021/ },
  },
};
