// What a person reads before the corrections. The corrections are in `offered.ts` and in the cases.

/** What is said of one case. */
export interface Told {
  culprit: string | null;
  summary: string;
  /** Where each line of evidence comes from. */
  evidence: readonly string[];
  advice: readonly string[];
  commands: readonly string[];
  /** Where to look if no change to the manifest is offered. */
  look: string | null;
}

/** Of cases in `documented/cures`. */
export const TOLD_CURES: Readonly<Record<string, Told>> = {
  'a program that ended once and now answers at another path': {
    culprit: 'readiness probe GET /health :8080 (status 404)',
    summary: 'Container `app` runs and is not ready, because its readiness probe (`GET /health :8080`) fails: the answer has status `404`.',
    evidence: ['pod status', 'log of app (previous)'],
    advice: [
      'Point the probe at the health path of the program (status 2xx or 3xx, without a login).',
      "Make sure that the server at `db:5432` runs and is ready, and that the port is the Service's.",
    ],
    commands: ['kubectl describe pod shop -n default', 'kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a selector whose only node is too small': {
    culprit: 'memory request 12Gi',
    summary:
      'The pod `waiting` cannot be scheduled: not enough `memory` is free (the pod requests `12Gi`, the largest node has `4Gi`) (1 of 3 nodes); no node has the labels that the pod requires (2 of 3 nodes).',
    evidence: ['pod status'],
    advice: [
      "Lower the pod's request for `memory` to what it needs, or add nodes that have it.",
      'Correct `nodeSelector` or the required node affinity, or label a node.',
    ],
    commands: ['kubectl describe pod waiting -n default', 'kubectl describe nodes', 'kubectl get nodes --show-labels'],
    look: null,
  },
  'an option with the namespace of another installation': {
    culprit: 'system:serviceaccount:default:console cannot get resource secrets in namespace console',
    summary:
      'Container `app` keeps ending with exit code 1, because its service account `console` is not allowed to `get` `secrets` in namespace `console`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'An administrator must grant it: a Role with the verb `get` for `secrets`, and a RoleBinding in `console` for the ServiceAccount `console` of namespace `default`. If both are there, compare the namespace of the subject and the API group of the rule.',
    ],
    commands: [
      'kubectl logs shop -c app --previous --tail=100 -n default',
      'kubectl auth can-i get secrets --as=system:serviceaccount:default:console -n console',
      'kubectl get rolebindings,clusterrolebindings -o wide -n console',
    ],
    look: null,
  },
  'a Job that gave up, with its pod': {
    culprit: 'S3_BUCKET (S3_BUCKT)',
    summary:
      'The Job `report` gave up: its pods failed more often than `backoffLimit` allows. Container `app` ended with exit code 1, because the variable `S3_BUCKET` is not set.',
    evidence: ['pod status', 'log of app (current)', 'status of container app'],
    advice: [
      "Set `S3_BUCKET` in the container's `env`, or load it with `envFrom` from the ConfigMap or Secret that has it.",
      'A failed Job stays failed. Correct the cause, then delete the Job and create it again.',
    ],
    commands: [
      'kubectl get pods -l batch.kubernetes.io/job-name=report -n default',
      'kubectl logs -l batch.kubernetes.io/job-name=report --all-containers --tail=50 -n default',
    ],
    look: null,
  },
  'a misspelt part of an option of Traefik': {
    culprit: 'certresolvers (--entrypoints.web.http.tls.certresolvers le)',
    summary:
      'Container `app` keeps ending with exit code 1, because its configuration has `certresolvers`, which the program does not know.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Correct the configuration at the place that the log line names. As far as the manifest shows, no volume brings the file: it is part of the image.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'an item of a volume whose key came later': {
    culprit: 'key app.yaml in ConfigMap reports',
    summary:
      'The pod `reports` cannot start: the kubelet did not find the key `app.yaml` in ConfigMap `reports`, which volume `conf` needs.',
    evidence: ['pod status'],
    advice: [
      'ConfigMap `reports` has the key `app.yaml` now. Wait a minute: if the key came after the pod, the container starts by itself. If it does not, delete the pod, so that it is made anew.',
    ],
    commands: ['kubectl describe configmap reports -n default', 'kubectl describe pod reports -n default'],
    look: 'the ConfigMaps of the namespace, and what should have created this one',
  },
  'two bounds of a LimitRange at once': {
    culprit: 'cpu 2 (maximum 1), memory 2Gi (maximum 1Gi) of app',
    summary:
      'The ReplicaSet `shop` cannot create its pods: the namespace allows a maximum of `1` `cpu` for a container, but `app` has `2`.',
    evidence: ['pod status'],
    advice: ['Stay within the LimitRange of the namespace, or have it changed.'],
    commands: ['kubectl describe replicaset shop -n default', 'kubectl describe limitranges -n default'],
    look: null,
  },
  'an init container that waits for a name with a slip': {
    culprit: 'init container wait: postgress',
    summary:
      "Init container `wait` runs and does not end, so the containers after it never start: the name `postgress` is not known to the cluster's DNS.",
    evidence: ['log of wait (current)', 'manifest, init container wait'],
    advice: [
      'Check the spelling, the namespace (`name.namespace` reaches a Service in another one), and that the Service exists.',
      'Loops around BusyBox `nslookup` may never end: it fails as long as one search domain does not have the name.',
    ],
    commands: [
      'kubectl logs shop -c wait --tail=100 -n default',
      'kubectl get services,endpoints -n default',
      'kubectl get pods -o wide -n default',
    ],
    look: null,
  },
  'an image of a volume that nobody has': {
    culprit: 'registry.example.com/models/rank:2026-11',
    summary:
      'Container `app` cannot start: the image `registry.example.com/models/rank:2026-11` of volume `model` cannot be pulled, because the registry has no such tag or digest.',
    evidence: ['status of container app'],
    advice: ['Correct the tag or the repository, or push the image.'],
    commands: ['kubectl describe pod shop -n default', 'skopeo list-tags docker://registry.example.com/models/rank'],
    look: null,
  },
  'users of its own, and no rights to mount proc': {
    culprit: 'hostUsers: false',
    summary: 'The pod `shop` cannot start: with `hostUsers: false` it asks for a user namespace, which the node cannot give it.',
    evidence: ['pod status'],
    advice: [
      'Use nodes whose kernel, runtime and file systems support user namespaces. Without one, root of the container is root of the node.',
    ],
    commands: ['kubectl describe pod shop -n default', 'kubectl get pods -n kube-system -o wide'],
    look: null,
  },
  'bundles of a signer that nobody made': {
    culprit: 'ClusterTrustBundle example.com/mesh',
    summary: 'The pod `shop` cannot start: there is no ClusterTrustBundle of the signer `example.com/mesh` with these labels.',
    evidence: ['pod status'],
    advice: ['Create the ClusterTrustBundle, or correct what the projected volume names.'],
    commands: ['kubectl describe pod shop -n default', 'kubectl get clustertrustbundles'],
    look: null,
  },
  'the host name in a path below a mount': {
    culprit: 'HOSTNAME (subPathExpr)',
    summary: 'Container `app` cannot be created: a `subPathExpr` names a variable that is not set.',
    evidence: ['status of container app'],
    advice: ['Set the variable in the `env` of the container, or correct its name.'],
    commands: ['kubectl describe pod shop -n default'],
    look: null,
  },
  'a gateway before a PHP-FPM that refuses its settings': {
    culprit: 'pm.start_servers(15) must not be less than pm.min_spare_servers(2)',
    summary:
      'Container `back` keeps ending with exit code 78, because it logs `ALERT: [pool www] pm.start_servers(15) must not be less than pm.min_spare_servers(2)`. Container `web` is not ready and answers with status `502`, because it needs that one.',
    evidence: ['log of back (previous)', 'status of container back', 'pod status'],
    advice: [
      'Look for what this error names: in the variables and arguments of the container, in its mounted files, or at the server that it calls.',
    ],
    commands: ['kubectl logs shop -c back --previous --tail=100 -n default'],
    look: 'the log around this line, and what changed in the image or its configuration',
  },
  'a memory limit of the pod as a whole': {
    culprit: 'memory limit of the pod 128Mi',
    summary: 'Container `app` was killed because it used more memory than the limit of the whole pod, `128Mi`.',
    evidence: ['status of container app', 'last run of container app', 'manifest'],
    advice: [
      'Measure how much it needs at its peak and set the limit above that. If its use grows without end, it leaks, and a higher limit only delays the kill.',
      'Set the heap of runtimes that have one (JVM, Node) below the limit: `-XX:MaxRAMPercentage`, `--max-old-space-size`.',
    ],
    commands: ['kubectl top pod shop --containers -n default', 'kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'MySQL, an older version than wrote the data': {
    culprit:
      'data of version 8.4.3 (image registry.example.com/db:8.0.36): Invalid MySQL server downgrade: Cannot downgrade from 80403 to 80036',
    summary:
      'Container `app` keeps ending with exit code 1, because its data was written by another version (`8.4.3`), from which this one cannot go on.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Use the version that wrote the data, and go up one step at a time as the program documents it.'],
    commands: ['kubectl logs shop-0 -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a subPath of a key that the ConfigMap has with another ending': {
    culprit: 'key nginx.conf in ConfigMap proxy-conf',
    summary: 'Container `app` cannot start: ConfigMap `proxy-conf` has no key `nginx.conf`, which is mounted at `/etc/nginx/nginx.conf`.',
    evidence: ['status of container app'],
    advice: ['Correct the `subPath`, or add the key `nginx.conf`. ConfigMap `proxy-conf` has the keys `nginx.cnf`, `mime.types`.'],
    commands: ['kubectl describe pod proxy -n default'],
    look: null,
  },
  'a profile whose file is mounted under a shorter name': {
    culprit:
      "SPRING_PROFILES_ACTIVE=production: Failed to configure a DataSource: 'url' attribute is not specified and no embedded datasource could be configured.",
    summary:
      'Container `app` keeps ending with exit code 1, because Spring has no address for its data source: it runs with `SPRING_PROFILES_ACTIVE=production`, and no mounted file has the settings of that.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['The program runs with `SPRING_PROFILES_ACTIVE=production`, and no mounted file has the settings of it.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'the metrics server, which trusts no kubelet': {
    culprit: "cannot validate certificate for 10.20.0.11 because it doesn't contain any IP SANs",
    summary:
      "Container `metrics-server` runs and is not ready, because its readiness probe (`GET /readyz :10250`) fails: the answer has status `500`; the log says that the certificate of `10.20.0.11:10250` is not accepted (`cannot validate certificate for 10.20.0.11 because it doesn't contain any IP SANs`).",
    evidence: ['pod status', 'log of metrics-server (current)', 'log of metrics-server (current)'],
    advice: [
      'Check the expiry, the names and the issuer of the certificate. The certificate of a private authority must be mounted, and the program must use it.',
    ],
    commands: ['kubectl describe pod shop -n default', 'kubectl logs shop -c metrics-server --tail=100 -n default'],
    look: null,
  },
  'Kafka, another port of a Service with two': {
    culprit: 'kafka:9093 (KAFKA_BOOTSTRAP_SERVERS)',
    summary: 'Container `app` keeps ending with exit code 1, because the Kafka brokers cannot be reached (`kafka:9093`).',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Check the bootstrap address. The brokers must announce an address that pods can reach (`advertised.listeners`).'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a gang of which too few are there': {
    culprit: 'waiting for minCount pods from a gang to be waiting on permit',
    summary: 'The pod `shop` fails with `Unschedulable`: `waiting for minCount pods from a gang to be waiting on permit`.',
    evidence: ['status'],
    advice: ['Read the events and the logs of the last run. The first error in them is usually the cause.'],
    commands: ['kubectl describe pod shop -n default', 'kubectl logs shop -n default --all-containers --tail=100'],
    look: 'the events of the pod and of its node, and the logs of the containers',
  },
  'a label of the template that is too long': {
    culprit: 'label aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: longer than 63 characters',
    summary:
      'The ReplicaSet `shop` cannot create its pods: the label `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` of its pods is too long: 63 characters are allowed.',
    evidence: ['pod status'],
    advice: ['Shorten it to at most 63 characters, wherever it is used.'],
    commands: ['kubectl describe replicaset shop -n default'],
    look: "the labels of the pod's template",
  },
  'root and a probe at a port of which nothing else speaks': {
    culprit: 'runAsNonRoot: image registry.k8s.io/busybox runs as root',
    summary: 'Container `app` cannot start: the image runs as root, and `runAsNonRoot` forbids it.',
    evidence: ['status of container app'],
    advice: [
      'Give the container a user (`runAsUser`) that is not 0, or build the image with `USER` and a number.',
      'The program then needs folders that this user may write to, and ports above 1023 if the runtime does not allow lower ones.',
    ],
    commands: ['kubectl describe pod shop -n default'],
    look: null,
  },
  'the password of the other store': {
    culprit: 'SERVER_SSL_KEY_STORE_PASSWORD (key truststore-password of Secret certs): IOException: keystore password was incorrect',
    summary: 'Container `app` keeps ending with exit code 1, because the password of its keystore is wrong.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Give the program the password with which the file was made.',
      '`SERVER_SSL_KEY_STORE_PASSWORD` comes from `key truststore-password of Secret certs`. Look whether the value is the right one, has no line break at its end, and is not encoded twice: `stringData` takes it as it is, `data` in base64.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a folder in the numbered causes of a Rust program': {
    culprit: '/var/cache/tiles/v2 (read-only file system)',
    summary:
      'Container `app` keeps ending with exit code 1, because it cannot write `/var/cache/tiles/v2`: with `readOnlyRootFilesystem` the file system of the image is read-only.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Mount an `emptyDir` where the program writes. Keep `readOnlyRootFilesystem` on.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'an application under its other usual name': {
    culprit: 'main.application: loading ASGI app. Attribute "application" not found in module "main".',
    summary: 'Container `app` keeps ending with exit code 1, because the Python module `main` has no `application`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Correct the name of the module or object in `command` and `args`, or the `workingDir` that it is searched from.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a folder below a read-only mount': {
    culprit: '/var/log/flb-storage/ (volume logs is read-only)',
    summary:
      'Container `app` keeps ending with exit code 1, because it logs `[2024/07/01 05:44:16] [error] [storage] [chunkio] cannot initialize root path /var/log/flb-storage/`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Change the owner of `/var/log` on the node (`chown`), or in an init container that runs as root. `fsGroup` does nothing for a folder of the node.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a name where etcd wants an address to listen on': {
    culprit: 'cfg (--listen-client-urls http://cfg:2379)',
    summary: 'Container `app` keeps ending with exit code 1, because it wants to listen on `cfg`, which is no address of the pod.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Let it listen on all addresses (`0.0.0.0`): a pod gets another address each time.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'the only file of a Secret, under another name than the variable says': {
    culprit: '/secrets/gcp/key.json (GOOGLE_APPLICATION_CREDENTIALS)',
    summary: 'Container `app` keeps ending with exit code 1, because `/secrets/gcp/key.json` does not exist.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Put it into the image or a mounted ConfigMap or Secret, or correct the path that the program uses.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'input that cannot be read is no bug': {
    culprit: 'ParserError: Error tokenizing data. C error: Expected 7 fields in line 4102, saw 9',
    summary:
      'Container `app` keeps ending with exit code 1, because the program ends with `pandas.errors.ParserError: Error tokenizing data. C error: Expected 7 fields in line 4102, saw 9`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'The program cannot read what it gets: a file, a table or the answer of a server. Correct these data, or let the program skip what is broken.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: 'the data that the program read last, and the lines of the log before this one, which may name them',
  },
  'a long option with one dash, where only its letter is said': {
    culprit: "-config.file=/etc/prometheus/prometheus.yml: prometheus: error: unknown short flag '-c'",
    summary:
      'Container `app` keeps ending with exit code 1, because after one dash it takes each letter of `-config.file=/etc/prometheus/prometheus.yml` for an option of its own.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Begin a long option with two dashes.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  '.NET without languages, switched off in the manifest': {
    culprit:
      'DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: CultureNotFoundException: Only the invariant culture is supported in globalization-invariant mode.',
    summary: 'Container `app` keeps ending with exit code 1, because the image runs .NET without languages.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Install `libicu` (`icu-libs`) in the image, or set `DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1` if the program does without languages.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a worker of a Deployment that shuts down and is not started again': {
    culprit: 'restartPolicy Never of container worker',
    summary:
      'Container `worker` ended with exit code 0, and its own `restartPolicy: Never` does not start it again, so the pod is never ready.',
    evidence: ['status of container worker', 'log of worker (current), last line'],
    advice: [
      'A container beside the others of a server must keep running. Remove its `restartPolicy`, or run work that is done once as an init container.',
    ],
    commands: ['kubectl logs shop -c worker --tail=100 -n default'],
    look: null,
  },
  'Keycloak without a host name': {
    culprit: 'KC_HOSTNAME ((main) ERROR: hostname is not configured; either configure hostname, or set hostname-strict to false)',
    summary: 'Container `app` keeps ending with exit code 1, because the variable `KC_HOSTNAME` is not set.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ["Set `KC_HOSTNAME` in the container's `env`, or load it with `envFrom` from the ConfigMap or Secret that has it."],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a readiness gate that nothing opens': {
    culprit: 'readiness gate lb/ready',
    summary: 'The pod `shop` is not ready, although its containers are: the condition of its readiness gate `lb/ready` is not true.',
    evidence: ['pod status'],
    advice: [
      'See whether the controller that sets this condition (often that of a load balancer) runs in this cluster, and what it says about the pod.',
    ],
    commands: ['kubectl describe pod shop -n default'],
    look: null,
  },
  'rows without a value that a migration requires': {
    culprit: 'IntegrityError: (psycopg2.errors.NotNullViolation) column "email" of relation "profile" contains null values',
    summary:
      'Container `app` keeps ending with exit code 1, because data that is in the database already stands in the way of its change: `IntegrityError: (psycopg2.errors.NotNullViolation) column "email" of relation "profile" contains null values`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Correct the rows that break the constraint, or let the migration do so before it adds the constraint. Then it can run again.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: 'the rows of the table that the line names, and the constraint',
  },
  'a model with a longer context than the card has room for': {
    culprit:
      "max_model_len: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (39296). Try increasing `gpu_memory_utilization` or",
    summary:
      'Container `app` keeps ending with exit code 1, because the context of the model is longer than what fits into the memory of the card (`39296`).',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Set `--max-model-len` to `39296` at most, or give vLLM more of the card (`--gpu-memory-utilization`), or a larger card.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a program that must be process 1': {
    culprit: 's6-overlay-suexec: fatal: can only run as pid 1 (shareProcessNamespace)',
    summary:
      'Container `app` keeps ending with exit code 1, because it must be the first process of its container, and the pod shares its processes.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Start the program itself, without a shell or wrapper around it (`exec` in a script), and without `shareProcessNamespace`.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a look-up of Go without an answer': {
    culprit: 'name server 10.96.0.10:53: i/o timeout (lookup tickets-db)',
    summary:
      'Container `app` keeps ending with exit code 1, because the name server `10.96.0.10:53` does not answer when the program looks up `tickets-db`: `i/o timeout`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Let the pods reach port 53 of the name server (UDP and TCP): a NetworkPolicy with egress rules must allow it. If no pod of the cluster gets an answer, look at CoreDNS.',
    ],
    commands: [
      'kubectl logs shop -c app --previous --tail=100 -n default',
      'kubectl get networkpolicies -n default',
      'kubectl get pods -l k8s-app=kube-dns -n kube-system',
    ],
    look: 'the NetworkPolicies of the namespace, and CoreDNS',
  },
  'an affinity to pods that are called the other way round': {
    culprit: 'pod affinity app=redis-session',
    summary: 'The pod `shop` cannot be scheduled: no node runs the pods that its affinity requires.',
    evidence: ['pod status'],
    advice: ['Correct the labels of the required pod affinity, or make it a preference.'],
    commands: ['kubectl describe pod shop -n default', 'kubectl get nodes --show-labels'],
    look: null,
  },
  'a port that the Service does not have, where the line shows only its address': {
    culprit: 'orders-pg:5432: connect ETIMEDOUT 10.100.87.14:5432 (DB_PORT)',
    summary: 'Container `app` keeps ending with exit code 1, because `orders-pg:5432` does not answer in time.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['A timeout, and not a refusal, points at a NetworkPolicy, a firewall, or an address that nobody has.'],
    commands: [
      'kubectl logs shop -c app --previous --tail=100 -n default',
      'kubectl get networkpolicies -n default',
      'kubectl get services,endpoints -n default',
      'kubectl get pods -o wide -n default',
    ],
    look: null,
  },
  'Django, which allows all hosts by a variable that it does not read': {
    culprit: 'ALLOWED_HOSTS: 10.244.1.7:8080 is not allowed',
    summary:
      'Container `app` runs and is not ready, because its readiness probe (`GET /healthz :8080`) fails: the answer has status `400`; the log says that the program does not serve the host `10.244.1.7:8080`, for which the probe asks.',
    evidence: ['pod status', 'log of app (current)'],
    advice: [
      'Let the probe ask for a host that `ALLOWED_HOSTS` allows, with the header `Host`. Kubelet else asks for the address of the pod, which changes.',
    ],
    commands: ['kubectl describe pod shop -n default', 'kubectl logs shop -c app --tail=100 -n default'],
    look: 'the log of the container while it starts, and what the probe gets when you try it by hand (`kubectl exec`, `kubectl port-forward`)',
  },
  'a full volume in memory': {
    culprit: '/cache/index.bin (sizeLimit)',
    summary: 'Container `app` keeps ending with exit code 1, because the volume it writes to is full (`/cache/index.bin`).',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Free space, or enlarge the volume: a claim if its storage class allows it, an `emptyDir` with its `sizeLimit`.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a placeholder whose variable is set': {
    culprit: '${DB_HOST}',
    summary:
      'Container `app` keeps ending with exit code 1, because its configuration has the placeholder `${DB_HOST}`, which the program does not replace.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Somebody must fill the placeholder before the program reads it: with `envsubst` in the entrypoint, or with the value itself. The variable `DB_HOST` itself is set.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: 'the variable, argument or file with `${DB_HOST}`: `Error: getaddrinfo ENOTFOUND ${DB_HOST}`',
  },
  'a token with a line break: TypeError [ERR_INVALID_CHAR]: Invalid character in header content ["Authorization"]': {
    culprit:
      'API_TOKEN from key api-token of Secret invoicing: TypeError [ERR_INVALID_CHAR]: Invalid character in header content ["Authorization"]',
    summary:
      'Container `app` keeps ending with exit code 1, because the value of the header `Authorization` has a character that no header may have, most often a line break at its end (`API_TOKEN` comes from the key `api-token` of Secret `invoicing`).',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'See whether the value ends with a line break (`kubectl get secret invoicing -n default -o jsonpath="{.data[\'api-token\']}" | base64 -d | od -c`). Write it without one: `--from-literal`, or `printf %s` in place of `echo`. Then restart the pods.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: 'the Secret or file from which the program takes its token, and how somebody made it',
  },
  'Longhorn, a tool that the node lacks': {
    culprit: 'iscsiadm',
    summary: 'Container `app` keeps ending with exit code 1, because its node has no program `iscsiadm`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Install `open-iscsi` (`iscsi-initiator-utils`) on every node that runs this pod.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: 'the packages of the node, and what sets nodes up',
  },
  'a rule about how images are pulled': {
    culprit: 'webhook validate.policy.example.com: containers must use imagePullPolicy: Always',
    summary:
      'The ReplicaSet `shop` cannot create its pods: the admission webhook `validate.policy.example.com` refuses them: `containers must use imagePullPolicy: Always`.',
    evidence: ['pod status'],
    advice: ['Change the pods as the message of the webhook asks, or ask those who run the webhook.'],
    commands: ['kubectl describe replicaset shop -n default', 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations'],
    look: null,
  },
  'an AppArmor profile on a node without AppArmor': {
    culprit: 'AppArmor profile',
    summary: 'Container `app` cannot start: its node cannot enforce an AppArmor profile.',
    evidence: ['last run of container app'],
    advice: ['Use nodes with AppArmor, or remove `appArmorProfile`.'],
    commands: ['kubectl describe pod shop -n default'],
    look: null,
  },
  'the Secret of another user': {
    culprit:
      'login of backup with the password of Secret pg-superuser (PGPASSWORD): pg_dump: error: FATAL:  password authentication failed for user "backup"',
    summary: 'Container `app` keeps ending with exit code 1, because PostgreSQL refuses the login of `backup`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      "Compare user and password with those of the server: the program gets `PGPASSWORD` from key `password` of Secret `pg-superuser`. If one side is older than the last change, put the server's password there and restart the pods, or set it on the server.",
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'pydantic: two fields that one Secret has': {
    culprit: 'database_url: Field required [type=missing, input_value={}, input_type=dict]',
    summary: 'Container `app` keeps ending with exit code 1, because the variables `DATABASE_URL`, `JWT_SECRET` are not set.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      "Set `DATABASE_URL`, `JWT_SECRET` in the container's `env`, or load them with `envFrom` from the ConfigMap or Secret that has them.",
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'devices that no node has left': {
    culprit: 'ResourceClaim one-gpu',
    summary: 'The pod `shop` cannot be scheduled: no node has the devices left that its claim asks for (3 of 3 nodes).',
    evidence: ['pod status'],
    advice: ['Compare what the claim asks for with what the nodes offer in their ResourceSlices, and see which other claims hold devices.'],
    commands: ['kubectl describe pod shop -n default', 'kubectl get resourceclaims -n default', 'kubectl get deviceclasses,resourceslices'],
    look: 'ResourceClaims, DeviceClasses and ResourceSlices',
  },
  'a resource of a device class that is not prepared': {
    culprit:
      'Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed: DRA driver gpu.example.com is not registered: no plugin found',
    summary:
      'The pod `shop` cannot start: its devices cannot be prepared: `Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed: DRA driver gpu.example.com is not registered: no plugin found`.',
    evidence: ['pod status'],
    advice: ['Look at the ResourceClaim of the pod and at the log of the device driver on the node.'],
    commands: ['kubectl describe pod shop -n default', 'kubectl get resourceclaims -n default'],
    look: "the device driver's DaemonSet and its log on the node",
  },
  'a virtual host that the server lacks': {
    culprit: 'vhost shop',
    summary: 'Container `app` keeps ending with exit code 1, because RabbitMQ has no `vhost shop`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Create it on the server, or correct the name in the address or the settings of the program.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a reference to a variable further down': {
    culprit: "RELEASE_NODE with $(POD_IP): RELEASE_DISTRIBUTION: Can't set long node name!",
    summary:
      'Container `app` keeps ending with exit code 1, because the name of its Erlang node is short, and the release wants a long one.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['`RELEASE_NODE` reaches the program with `$(POD_IP)` as it is.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'two hosts in one list, of which nothing in the namespace answers one': {
    culprit: 'postgres-main',
    summary: "Container `app` keeps ending with exit code 1, because the name `postgres-main` is not known to the cluster's DNS.",
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Check the spelling, the namespace (`name.namespace` reaches a Service in another one), and that the Service exists.'],
    commands: [
      'kubectl logs shop -c app --previous --tail=100 -n default',
      'kubectl get services,endpoints -n default',
      'kubectl get pods -o wide -n default',
    ],
    look: null,
  },
  'a program that ends with 1 when the startup probe stops it': {
    culprit: 'startup probe tcp :8080',
    summary: 'Container `app` is killed and restarted, because its startup probe (`tcp :8080`) fails: nothing listens on port `8080`.',
    evidence: ['pod status', 'event Killing'],
    advice: ['Point the probe at the port where the program listens. If it needs longer to start, give it a `startupProbe`.'],
    commands: ['kubectl describe pod shop -n default', 'kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a member that says which others are missing': {
    culprit: 'readiness probe GET /health :2379 (status 503): not ready: 1 of 3 voters reachable, waiting for quorum',
    summary:
      'Container `app` runs and is not ready, because its readiness probe (`GET /health :2379`) fails: the answer has status `503`; the log says `not ready: 1 of 3 voters reachable, waiting for quorum`.',
    evidence: ['pod status', 'log of app (current)', 'log of app (current)'],
    advice: ['The program answers that it is not healthy. Its log says why, or the path is not its health path.'],
    commands: ['kubectl describe pod quorum-0 -n default', 'kubectl logs quorum-0 -c app --tail=100 -n default'],
    look: 'the log of the container while it starts, and what the probe gets when you try it by hand (`kubectl exec`, `kubectl port-forward`)',
  },
  'an option with its value, as an example': {
    culprit: 'ValueError: int8 needs a newer card than this one (--precision)',
    summary:
      'Container `app` keeps ending with exit code 1, because the program ends with `ValueError: int8 needs a newer card than this one. You can use float16 instead, for example: --precision=float16.`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Change the settings as the message above asks.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'client-go, a right for the whole cluster': {
    culprit: 'system:serviceaccount:default:shop cannot list resource nodes',
    summary:
      'Container `app` keeps ending with exit code 1, because its service account `shop` is not allowed to `list` `nodes` in the whole cluster.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'An administrator must grant it: a ClusterRole with the verb `list` for `nodes`, and a ClusterRoleBinding for the ServiceAccount `shop` of namespace `default`. If both are there, compare the namespace of the subject and the API group of the rule.',
    ],
    commands: [
      'kubectl logs shop -c app --previous --tail=100 -n default',
      'kubectl auth can-i list nodes --as=system:serviceaccount:default:shop',
      'kubectl get clusterrolebindings -o wide',
    ],
    look: 'the bindings of this account and the roles that they name',
  },
  'a capability with a slip': {
    culprit: 'capability NET_ADMINN',
    summary: 'Container `app` cannot start: there is no capability `NET_ADMINN`.',
    evidence: ['last run of container app'],
    advice: ['Correct the name in `securityContext.capabilities`; it stands there without `CAP_`.'],
    commands: ['kubectl describe pod shop -n default'],
    look: null,
  },
  'a Secret whose real name has a prefix': {
    culprit: 'Secret db-credentials',
    summary: 'Container `app` cannot start: there is no Secret `db-credentials`.',
    evidence: ['status of container app'],
    advice: ['Create the Secret `db-credentials` in namespace `default`, or correct its name.'],
    commands: ['kubectl get secrets -n default', 'kubectl describe pod shop -n default'],
    look: null,
  },
  'what an init container waits for, by its command alone': {
    culprit: 'init container wait: ledger:5432',
    summary: 'Init container `wait` runs and does not end, so the containers after it never start; its last log line is `.`.',
    evidence: ['log of wait (current), last line', 'manifest, init container wait'],
    advice: [
      'Find out what it waits for, and whether that can ever happen.',
      'Loops around BusyBox `nslookup` may never end: it fails as long as one search domain does not have the name.',
    ],
    commands: ['kubectl logs shop -c wait --tail=100 -n default'],
    look: 'the log of `wait` and what its command waits for',
  },
  'the port of NATS for administrators': {
    culprit: 'NATS_URL with port 8222: nats: no servers available for connection',
    summary:
      'Container `app` keeps ending with exit code 1, because it cannot connect to a server: `nats: no servers available for connection`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Port 8222 is not for clients. Use the port at which the server speaks the protocol of the program.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default', 'kubectl get services,endpoints -n default'],
    look: null,
  },
  'a table that is missing after a migration': {
    culprit: 'orders',
    summary: 'Container `app` keeps ending with exit code 1, because the database has no table `orders`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'See first to which database it connects: an empty or a wrong one has no tables. Run the migrations that create it before whatever needs it.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: 'the migrations (did they run, against which database?) and the connection settings',
  },
  'files of a Secret that only root may read': {
    culprit: '/etc/shop/tls/tls.key (permission denied)',
    summary: 'Container `app` keeps ending with exit code 1, because user `1000` is not allowed to access `/etc/shop/tls/tls.key`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Files of a Secret or ConfigMap belong to root: `fsGroup` gives them to a group of the program, `defaultMode` sets their mode. Nobody can write there.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a size as PostgreSQL does not write it': {
    culprit: 'shared_buffers=128mb',
    summary: 'Container `app` keeps ending with exit code 1, because `128mb` is not a size for this program, which writes sizes otherwise.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Every program has its own units: `512MiB` for Go, `-Xmx512m` for Java, `128MB` for PostgreSQL.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a low port of gunicorn': {
    culprit: 'port 80 (--bind 0.0.0.0:80)',
    summary: 'Container `app` keeps ending with exit code 1, because its user is not allowed to open port `80`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ["Let the program listen on a port above 1023 and point `containerPort`, probes and the Service's `targetPort` there."],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a port that another container of the pod has': {
    culprit: 'port 8080',
    summary: 'Container `app` keeps ending with exit code 1, because port `8080` is already in use by container `web`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'All containers of a pod share its ports. Give one of those that want this one another port, in its setting, its `ports` and its probes.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'an address of Redis without a scheme, and a log that names none': {
    culprit: 'REDIS_URL=cache:6379: TypeError: Invalid URL',
    summary:
      'Container `app` keeps ending with exit code 1, because `cache:6379` is no URL (`REDIS_URL`): it has no scheme, or something in it is not allowed.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Write the whole URL, with its scheme (`http://…`).'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a realm, as another object has it': {
    culprit: '--oidc-issuer-url (realm employees): could not get verifier: unexpected status "404": {"error":"Realm does not exist"}',
    summary: 'Container `app` keeps ending with exit code 1, because the identity server has no `realm employees`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Create it on the server, or correct the name in the settings of the program.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'Grafana, two data sources that are both the default one': {
    culprit:
      'isDefault: only one datasource can be marked as default: Failed to provision data sources: Datasource provisioning error: datasource.yaml config is invalid',
    summary: 'Container `app` keeps ending with exit code 1, because more than one data source says `isDefault: true`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Keep `isDefault: true` on one data source and set it to `false` on the others. The program reads the files of ConfigMap `kube-prometheus-grafana-datasource` (`datasource.yaml`) and ConfigMap `loki-stack` (`loki-stack-datasource.yaml`) together. One of them must change.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: 'the files of the data sources, which usually come from ConfigMaps',
  },
  'a bound that the pod keeps': {
    culprit: 'admission policy p: terminationGracePeriodSeconds must not exceed 60 on spot nodes',
    summary:
      'The ReplicaSet `shop` cannot create its pods: the admission policy `p` refuses them: `terminationGracePeriodSeconds must not exceed 60 on spot nodes`.',
    evidence: ['pod status'],
    advice: ['Change the pods as the message of the policy asks, or ask those who maintain the policy.'],
    commands: ['kubectl describe replicaset shop -n default', 'kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings'],
    look: 'the admission policy `p` and its binding',
  },
  'a node of Elasticsearch that waits for itself under another name': {
    culprit: 'initial_master_nodes: elasticsearch-0 (cluster.initial_master_nodes)',
    summary:
      'Container `app` runs and is not ready, because its readiness probe (`GET /_cluster/health :9200`) fails: the answer has status `503`; the log says that it waits for the nodes `elasticsearch-0` to form its cluster, and its own name is `es-0`.',
    evidence: ['pod status', 'log of app (current)'],
    advice: ['Name the nodes that form the cluster as they call themselves (`node.name`): the names of the pods.'],
    commands: ['kubectl describe pod es-0 -n default', 'kubectl logs es-0 -c app --tail=100 -n default'],
    look: null,
  },
  'a further network that nobody defined': {
    culprit: 'macvlan-conf',
    summary: 'The pod `shop` cannot start: it asks for a further network that nobody has defined (`macvlan-conf`).',
    evidence: ['pod status'],
    advice: [
      'Correct the name in the annotation `k8s.v1.cni.cncf.io/networks`, or create the NetworkAttachmentDefinition in this namespace.',
    ],
    commands: ['kubectl describe pod shop -n default', 'kubectl get pods -n kube-system -o wide'],
    look: '`kubectl get network-attachment-definitions` in the namespace',
  },
  'a section with one underscore at its second place': {
    culprit:
      'Kestrel__Certificates__Default_Path: server certificate: InvalidOperationException: Unable to configure HTTPS endpoint. No server certificate was specified.',
    summary: 'Container `app` keeps ending with exit code 1, because it should speak HTTPS and has no certificate.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['The program does not read `Kestrel__Certificates__Default_Path`: the variables beside it begin otherwise.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'MySQL, a disk with lost+found': {
    culprit: 'data directory',
    summary:
      'Container `app` keeps ending with exit code 1, because its data folder cannot be used: `--initialize specified but the data directory has files in it. Aborting.`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Use a folder below the mount point (`PGDATA=/var/lib/postgresql/data/pgdata`) to avoid `lost+found`. Upgrade data of an older major version.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'an image for other processors': {
    culprit: '/usr/local/bin/server: exec format error',
    summary:
      "Container `app` keeps ending with exit code 1, because `/usr/local/bin/server` is built for another processor than the node's, or is a script without its first line `#!`.",
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Build the image for the architecture of the nodes (`docker buildx build --platform`), or select fitting nodes with `kubernetes.io/arch`.',
    ],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'tools that are older than the server': {
    culprit: 'version 14.11 of the tools, 16.2 of the server',
    summary: 'Container `app` keeps ending with exit code 1, because its tools are of version 14.11, and the server of 16.2.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Use a newer version of the program, or a version of the server that it knows.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a licence that a program wants to be accepted in a variable': {
    culprit: 'APP_ACCEPT_LICENSE_AGREEMENT: --env=APP_ACCEPT_LICENSE_AGREEMENT=<yes|eval>',
    summary: 'Container `app` keeps ending with exit code 1, because it logs `--env=APP_ACCEPT_LICENSE_AGREEMENT=<yes|eval>`.',
    evidence: ['log of app (previous), last line', 'status of container app'],
    advice: ['Change the settings as the message above asks.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a limit that is too many times its request': {
    culprit: 'cpu: limit to request ratio above 2 of app',
    summary:
      'The ReplicaSet `shop` cannot create its pods: the namespace allows a `cpu` limit of at most `2` times its request, but `app` has `2` and requests `500m`.',
    evidence: ['pod status'],
    advice: ['Bring request and limit closer together, or have the LimitRange changed.'],
    commands: ['kubectl describe replicaset shop -n default', 'kubectl describe limitranges -n default'],
    look: null,
  },
  'a priority as a number beside its class': {
    culprit: 'priority 1000',
    summary: 'The ReplicaSet `shop` cannot create its pods: they set `priority` themselves, to another value than their priority class.',
    evidence: ['pod status'],
    advice: ['Remove `priority`: the priority class sets it. To have another value, name another class.'],
    commands: ['kubectl describe replicaset shop -n default', 'kubectl get priorityclasses'],
    look: null,
  },
  'a key of a file that an init container writes, with a near one': {
    culprit: 'key DB_PASSWORD in file app.env',
    summary: 'Container `app` cannot start: the file `app.env` of volume `env` has no variable `DB_PASSWORD`.',
    evidence: ['status of container app'],
    advice: [
      'Init container `render` writes the file. Correct `fileKeyRef.key`, or let the file set `DB_PASSWORD`. Its command sets `DB_USER`, `DB_PASS`.',
    ],
    commands: ['kubectl describe pod shop -n default'],
    look: null,
  },
  'read-only recursively, which the runtime cannot do': {
    culprit: 'recursiveReadOnly of volume data',
    summary:
      'Container `app` cannot start: volume `data` must be read-only with everything mounted below it, which the container runtime cannot do.',
    evidence: ['status of container app'],
    advice: ['`recursiveReadOnly: IfPossible` takes it where the node can do it. The node needs Linux 5.12 and runc 1.1 or crun 1.4.'],
    commands: ['kubectl describe pod shop -n default'],
    look: null,
  },
  'a certificate whose setting is called a path': {
    culprit:
      'Kestrel__Certificates__Default__Path=/https/tls.pfx: Interop+Crypto+OpenSslCryptographicException: error:10000080:BIO routines::no such file',
    summary:
      'Container `app` keeps ending with exit code 1, because an exception is not caught: `Interop+Crypto+OpenSslCryptographicException: error:10000080:BIO routines::no such file`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['`Kestrel__Certificates__Default__Path` names a file that no volume brings.'],
    commands: ['kubectl logs shop -c app --previous --tail=100 -n default'],
    look: null,
  },
};

/** Of cases in `documented`. */
export const TOLD_DOCUMENTED: Readonly<Record<string, Told>> = {
  'a node short of process ids': {
    culprit: 'pids of the node',
    summary: 'The pod `evicted` was evicted: the node ran low on `pids`.',
    evidence: ['pod status'],
    advice: [
      'Set `requests` to what the pod really uses: pods that use more than they requested are evicted first.',
      'An evicted pod stays as a record. Nothing creates it again: delete it and create it anew.',
    ],
    commands: ['kubectl describe pod evicted -n default', 'kubectl describe nodes', 'kubectl top nodes'],
    look: 'the conditions and events of the node, and what else runs on it',
  },
  'a node without the wanted label': {
    culprit: 'disktype=ssd',
    summary: 'The pod `bound` was refused by its node: the node does not have the labels that the pod requires (`disktype=ssd`).',
    evidence: ['pod status'],
    advice: [
      "Compare what the pod requires with the node's labels and devices.",
      'A refused pod stays as a record and is never tried again. Create it again.',
    ],
    commands: ['kubectl describe pod bound -n default', 'kubectl describe node kube-01'],
    look: null,
  },
  'a quota of memory': {
    culprit: 'quota mem-cpu-demo: requests.memory',
    summary:
      'The ReplicaSet `quota-mem-cpu-demo-2` cannot create its pods: quota `mem-cpu-demo` has no room left (`requests.memory`: a pod asks for `700Mi`, `600Mi` of `1Gi` are used).',
    evidence: ['pod status'],
    advice: ['Raise the quota, delete what the namespace no longer needs, or request less.'],
    commands: ['kubectl describe replicaset quota-mem-cpu-demo-2 -n default', 'kubectl describe resourcequota mem-cpu-demo -n default'],
    look: null,
  },
  'a mount that takes too long': {
    culprit: 'volume data',
    summary: 'The pod `mounting` cannot start: volume `data` cannot be mounted, because it was not ready in time.',
    evidence: ['pod status'],
    advice: ['Look at the claim, the attachment and the driver. This message only says that one of them was not ready.'],
    commands: ['kubectl describe pod mounting -n default', 'kubectl describe persistentvolumeclaim data -n default'],
    look: "the claim's events, `kubectl get volumeattachments`, the driver's log",
  },
  'what restricted demands': {
    culprit: 'Pod Security restricted: allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile',
    summary:
      'The Job `nginx` cannot create its pods: the namespace enforces Pod Security level `restricted`, and the pods do not meet it: `allowPrivilegeEscalation != false`, `unrestricted capabilities`, `runAsNonRoot != true`, `seccompProfile`.',
    evidence: ['pod status'],
    advice: [
      'Set the fields that the message names, or move the workload to a namespace with another level.',
      'With `runAsNonRoot` the image needs a user other than root.',
    ],
    commands: ['kubectl describe job nginx -n default', 'kubectl get namespace default --show-labels'],
    look: null,
  },
  'a hook that nobody answers': {
    culprit: 'postStart hook: GET /reg :8080',
    summary: 'Container `app` is killed because its postStart hook `GET /reg :8080` fails.',
    evidence: ['status of container app'],
    advice: [
      'Let the hook try again until it succeeds: it starts together with the program, which may not answer yet. If the pod does without its work, let it end with 0.',
    ],
    commands: ['kubectl describe pod a -n default'],
    look: null,
  },
  'a job that ran too long': {
    culprit: 'activeDeadlineSeconds 100',
    summary: 'The Job `pi-with-timeout` was ended because it ran longer than its deadline of `100 s`.',
    evidence: ['pod status'],
    advice: [
      'Its log shows whether it worked all the time or waited for something. Raise `activeDeadlineSeconds`, or repair what it waits for.',
    ],
    commands: [],
    look: null,
  },
  'a pull secret that is not there': {
    culprit: 'pull secret regcred',
    summary:
      'Container `app` cannot start: the image `registry.example.com/private:1` requires credentials, and the pull secret `regcred` does not exist.',
    evidence: ['event FailedToRetrieveImagePullSecret', 'pod status'],
    advice: ['Create the Secret `regcred` of type `kubernetes.io/dockerconfigjson` in this namespace, or name one that exists.'],
    commands: [
      'kubectl get secrets --field-selector type=kubernetes.io/dockerconfigjson -n default',
      'kubectl create secret docker-registry regcred --docker-server=registry.example.com -n default --docker-username=USER --docker-password=PASSWORD',
    ],
    look: null,
  },
  'a pull that is forbidden': {
    culprit: 'my-local:dev (imagePullPolicy)',
    summary: 'Container `app` cannot start: the image `my-local:dev` is not on the node, and `imagePullPolicy: Never` forbids pulling it.',
    evidence: ['status of container app'],
    advice: ['Let the node pull it (`IfNotPresent`), or load the image onto every node that may run the pod.'],
    commands: ['kubectl describe pod never -n default'],
    look: null,
  },
  'a Windows program whose library is missing': {
    culprit: 'exit code -1073741515',
    summary: 'Container `app` keeps ending with exit code -1073741515: the program ended with its own error code.',
    evidence: ['status of container app'],
    advice: [
      'Its documentation and the log of its last run say what the code means.',
      'No line of its log is known. If it logs nothing, run it by hand (`kubectl debug`, or `command: [sleep, "3600"]`) and see what it does.',
    ],
    commands: ['kubectl logs win-app -c app --previous --tail=100 -n default'],
    look: 'the log around its end, and what changed in the image or its configuration since it last worked',
  },
  'a volume of no zone': {
    culprit: 'volume node affinity of claim c1',
    summary:
      'The pod `a` cannot be scheduled: its volume can be used only on nodes that do not fit (3 of 6 nodes); nodes have the taint `node-role.kubernetes.io/master` that the pod does not tolerate (3 of 6 nodes).',
    evidence: ['pod status'],
    advice: [
      'Place the pod in the zone of its volume, or create a volume where nodes are.',
      'Add a toleration when the pod belongs on these nodes; otherwise add nodes without the taint.',
    ],
    commands: [
      'kubectl describe pod a -n default',
      'kubectl get persistentvolumeclaims -n default',
      'kubectl get storageclasses',
      'kubectl describe nodes',
    ],
    look: "the volume's node affinity and the zones of the nodes; the nodes' taints and conditions",
  },
  'a container that ends well though it should not': {
    culprit: 'exit code 0 (restartPolicy)',
    summary: 'Container `app` ends by itself with exit code 0 and is started again and again.',
    evidence: ['status of container app'],
    advice: [
      'A container of a Deployment must not end. Start the program in the foreground, or run it as a Job.',
      'For Kubernetes a server that goes into the background has ended. Use its foreground option (`nginx -g "daemon off;"`, `--nodaemon`).',
    ],
    commands: ['kubectl logs done -c app --previous --tail=100 -n default'],
    look: null,
  },
  'a more important pod': {
    culprit: 'preemption by a pod of higher priority',
    summary: 'The pod `preempted` was ended to make room for a pod of higher priority.',
    evidence: ['pod status', 'condition DisruptionTarget'],
    advice: [
      'Give the cluster room for both pods, or give this pod a priority class that fits its importance.',
      'The event names the other pod only by its UID. Look for it on the same node.',
    ],
    commands: [
      'kubectl describe pod preempted -n default',
      'kubectl get pods -A -o custom-columns=NS:.metadata.namespace,NAME:.metadata.name,UID:.metadata.uid,PRIORITY:.spec.priority',
      'kubectl get priorityclasses',
    ],
    look: 'the priorities of the pods on that node and the room in the cluster',
  },
  'a fit failure, node by node': {
    culprit: 'CPU request',
    summary: 'The pod `waiting` was refused by its node, which does not have enough `CPU`: it asks for too much, `580` is free.',
    evidence: ['pod status'],
    advice: [
      'Request less `CPU`, or let the scheduler choose a node that has it (no `nodeName`).',
      'A refused pod stays as a record and is never tried again. Create it again.',
    ],
    commands: ['kubectl describe pod waiting -n default', 'kubectl describe nodes'],
    look: "kubelet's log on the node, its device plugins and labels",
  },
  'a node that goes down': {
    culprit: 'node node-1',
    summary: 'The pod `a` was lost with its node, which is away or was shut down.',
    evidence: [],
    advice: ['Bring the node back or remove it. A controller creates the pod again elsewhere; somebody must create a bare pod again.'],
    commands: ['kubectl get nodes -o wide', 'kubectl describe pod a -n default'],
    look: "the node's conditions, its kubelet and its machine",
  },
  'a container that writes too much': {
    culprit: 'ephemeral-storage limit 4Gi',
    summary:
      'The pod `evicted` was evicted: container `app` wrote more to the disk of the node than its `ephemeral-storage` limit of `4Gi`.',
    evidence: ['pod status'],
    advice: [
      'Let the program write less (logs, temporary files), or raise the limit to what it needs.',
      'An evicted pod stays as a record. Nothing creates it again: delete it and create it anew.',
    ],
    commands: ['kubectl describe pod evicted -n default'],
    look: null,
  },
  'a job that gives up by its own policy': {
    culprit:
      'PodFailurePolicy: Container main for pod default/job-pod-failure-policy-failjob-abc failed with exit code 42 matching FailJob rule at index 0',
    summary:
      'The Job `job-pod-failure-policy-failjob` gave up: its `podFailurePolicy` says that this failure is final (`Container main for pod default/job-pod-failure-policy-failjob-abc failed with exit code 42 matching FailJob rule at index 0`).',
    evidence: ['pod status'],
    advice: [
      'Read why its last pod failed. A higher `backoffLimit` only helps if the failure is random.',
      'A failed Job stays failed. Correct the cause, then delete the Job and create it again.',
    ],
    commands: [
      'kubectl get pods -l batch.kubernetes.io/job-name=job-pod-failure-policy-failjob -n default',
      'kubectl logs -l batch.kubernetes.io/job-name=job-pod-failure-policy-failjob --all-containers --tail=50 -n default',
    ],
    look: "the logs and statuses of the Job's pods",
  },
  'a webhook that is not there': {
    culprit: 'webhook my-webhook.example.com',
    summary:
      'The ReplicaSet `hooked` cannot create its pods: the admission webhook `my-webhook.example.com` does not answer: `failed to call webhook: Post "https://my-webhook.default.svc:443/validate?timeout=10s": no endpoints available for service "my-webhook"`.',
    evidence: ['pod status'],
    advice: ['Repair the pods and the Service of the webhook. Until then, nothing that it watches can be created.'],
    commands: [
      'kubectl describe replicaset hooked -n default',
      'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
    ],
    look: 'the webhook `my-webhook.example.com`: its configuration, its pods, its log',
  },
  'a registry that nobody knows': {
    culprit: 'k8s.gcr.example/pause:3.1 (host k8s.gcr.example)',
    summary:
      "Container `app` cannot start: the image `k8s.gcr.example/pause:3.1` cannot be pulled, because no DNS server knows the registry's host name (`k8s.gcr.example`).",
    evidence: ['pod status'],
    advice: ["Correct the registry's name in the image reference, or the DNS settings of the node."],
    commands: ['kubectl describe pod puller -n default', 'skopeo list-tags docker://k8s.gcr.example/pause'],
    look: 'the registry in the image reference, and the DNS settings of the node',
  },
  'a Windows image of another build': {
    culprit: 'hcs::CreateComputeSystem app: The container operating system does not match the host operating system.',
    summary:
      'Container `app` cannot start: the container runtime cannot start its process: `hcs::CreateComputeSystem app: The container operating system does not match the host operating system.`.',
    evidence: ['status of container app'],
    advice: ['Correct what the message names, or run another command in the container and look at its files.'],
    commands: ['kubectl describe pod win-webserver -n default'],
    look: "the container runtime's log on the node",
  },
  'requests above limits': {
    culprit: 'requests.cpu 2 above the cpu limit',
    summary:
      'The StatefulSet `s` cannot create its pods: a container requests `2` of `cpu`, more than the limit that the LimitRange of the namespace gives it, since it sets none.',
    evidence: ['pod status'],
    advice: ['Give the container a limit of its own. Without one it gets the default of the LimitRange of the namespace.'],
    commands: ['kubectl describe statefulset s -n default', 'kubectl describe limitranges -n default'],
    look: null,
  },
  'a quota that wants to know': {
    culprit: 'quota compute-resources: limits.cpu, limits.memory, requests.cpu, requests.memory',
    summary:
      'The ReplicaSet `silent` cannot create its pods: quota `compute-resources` requires `limits.cpu, limits.memory, requests.cpu, requests.memory` of every container.',
    evidence: ['pod status'],
    advice: ['Give every container these requests and limits, or give the namespace a LimitRange with defaults.'],
    commands: ['kubectl describe replicaset silent -n default'],
    look: null,
  },
};

/** Of written cases. */
export const TOLD_WRITTEN: Readonly<Record<string, Told>> = {
  'an image name in capitals': {
    culprit: 'MyApp:1 (a repository must be lower-case)',
    summary: 'Container `app` cannot start: `MyApp:1` is not an image reference (a repository must be lower-case).',
    evidence: ['pod status'],
    advice: ['A reference is `registry/folder/name:tag`: lower-case names, one colon before the tag, no spaces and no `https://`.'],
    commands: ['kubectl describe pod web -n shop'],
    look: null,
  },
  'no such service account': {
    culprit: 'service account builder',
    summary: 'The ReplicaSet `web` cannot create its pods: the service account `builder` does not exist.',
    evidence: ['pod status'],
    advice: ['Create the service account `builder`, or correct `serviceAccountName`.'],
    commands: [
      'kubectl describe replicaset web -n shop',
      'kubectl get serviceaccounts -n shop',
      'kubectl create serviceaccount builder -n shop',
    ],
    look: 'the service accounts of the namespace, and what should have created this one',
  },
  'CRI-O: a user that the image lacks': {
    culprit: 'user ghost',
    summary: 'Container `app` cannot start: the image has no user `ghost`.',
    evidence: ['pod status'],
    advice: ['Give the user as a number (`runAsUser`), or create it in the image.'],
    commands: ['kubectl describe pod web -n shop'],
    look: null,
  },
};

/** Of programs that end. */
export const TOLD_PROGRAMS: Readonly<Record<string, Told>> = {
  'AWS SDK of Go, no credentials, and a service account that the pod does not use': {
    culprit: 'credentials for AWS: no EC2 IMDS role found',
    summary: 'Container `app` keeps ending with exit code 1, because it finds no credentials for AWS.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Let the pod run as a service account with a role (`eks.amazonaws.com/role-arn`), or give it `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` from a Secret.',
    ],
    commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
    look: null,
  },
  'ssh, a host': {
    culprit: 'host key (known_hosts): Host key verification failed.',
    summary: 'Container `app` keeps ending with exit code 1, because it does not know the host key of the git server.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Mount a `known_hosts` file with the host key of the server.'],
    commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
    look: "the container's variables and `args` with the repository, and the Secret with the credentials",
  },
  'nginx, an owner': {
    culprit: 'capability CHOWN for /var/cache/nginx/client_temp',
    summary:
      'Container `app` keeps ending with exit code 1, because it lacks the capability `CHOWN`: `chown("/var/cache/nginx/client_temp", 101) failed (1: Operation not permitted)`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Add the capability that the program needs, and no other, or run it so that it does not need it.'],
    commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
    look: null,
  },
  'Go, a key of another certificate': {
    culprit: 'private key of the certificate: tls: private key does not match public key',
    summary: 'Container `app` keeps ending with exit code 1, because the private key does not belong to the certificate.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Put a certificate and its own key into the Secret (`openssl x509 -noout -pubkey` and `openssl pkey -pubout` must print the same).',
    ],
    commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
    look: 'the Secret with the certificate and the key, and which of its keys is mounted where',
  },
  'sh, a script of which the lines became one': {
    culprit: 'spec.containers[0].command[2]: sh: syntax error: unexpected end of file (expecting "done")',
    summary: 'Container `app` keeps ending with exit code 1, because the shell cannot read the script in `spec.containers[0].command[2]`.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'The lines of the script have become one. In YAML write it behind `|`, which keeps line breaks, and not behind `>`; in one line, `done` and `fi` need a `;` before them.',
    ],
    commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
    look: 'the script in `spec.containers[0].command[2]`',
  },
  'Prisma, its engine': {
    culprit: 'Prisma engine linux-musl-openssl-3.0.x',
    summary:
      "Container `app` keeps ending with exit code 1, because the image lacks Prisma's engine for its platform `linux-musl-openssl-3.0.x`.",
    evidence: ['log of app (previous)', 'status of container app'],
    advice: ['Name this platform in `binaryTargets` of the schema, and build the image again.'],
    commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
    look: "the image's base and how it was built",
  },
  'PostgreSQL, a server that starts': {
    culprit: 'the PostgreSQL server is starting: the database system is starting up',
    summary: 'Container `app` keeps ending with exit code 1, because the PostgreSQL server is not ready: it is starting up.',
    evidence: ['log of app (previous)', 'status of container app'],
    advice: [
      'Wait for the server before the program starts (an init container), or let the program try again. A server that never gets ready has a fault of its own.',
    ],
    commands: ['kubectl logs web -c app --previous --tail=100 -n shop'],
    look: 'the log and the readiness of the server',
  },
};
