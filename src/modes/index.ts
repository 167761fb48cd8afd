import type { Mode } from './mode.ts';

const ENVIRONMENT = 'Environment variables configure this mode; deploy/README.md lists them.';

/** All modes by their name on the command line. */
export const MODES: Record<string, Mode> = {
  operator: {
    summary: 'reconciles custom resources and serves API and dashboard; needs a cluster and a database',
    help: `
Usage: podmend operator

Listens on HOST:PORT (default: 0.0.0.0:8000), stores its records in DATABASE_URL or in DATA_DIR, and finds the cluster as kubectl does
(KUBECONFIG, or the ServiceAccount in a pod). Needs SERVICE_TOKEN, the secret that it shares with agents and scanner.
${ENVIRONMENT}`,
    service: 'operator',
    load: async () => (await import('./operator.ts')).runOperator,
  },
  agent: {
    summary: 'watches the pods of one node and reports those that fail',
    help: `
Usage: podmend agent

Watches the pods of NODE_NAME (or of all nodes if NODE_NAME is unset) and reports to BACKEND_URL with SERVICE_TOKEN.
${ENVIRONMENT}`,
    service: 'agent',
    load: async () => (await import('./agent.ts')).runAgent,
  },
  scanner: {
    summary: 'runs security checks on the workloads of the cluster and reports findings',
    help: `
Usage: podmend scanner

Watches all namespaces (or WATCH_NAMESPACES) and reports to BACKEND_URL with SERVICE_TOKEN. Checks changed objects within seconds, and
all objects every SCAN_INTERVAL_SECONDS and on request.
${ENVIRONMENT}`,
    service: 'scanner',
    load: async () => (await import('./scanner.ts')).runScanner,
  },
  scan: {
    summary: 'runs security checks on manifests, without a cluster',
    help: `
Usage: podmend scan -f FILE|DIR|- [-f …] [-o table|json|sarif|junit|csv|openreports] [--fail-on SEVERITY]
       podmend scan --as-vap [--check CHECK …] [--trusted-registry REGISTRY …] | kubectl apply -f -

  -f  a file with YAML documents or JSON, a folder with such files, or - for standard input (helm template, kustomize build,
      kubectl get -o json)
  -o, --output           the output format (default: table)
  --fail-on              critical, high (default), medium, low, info or none
  --min-severity         leave out less severe findings (default: low)
  --check CHECK          only this check, whatever its severity; may be repeated
  --kubernetes-version   use the rules of this version, such as v1.34 (default: the newest)
  --trusted-registry     a registry that images may come from, such as ghcr.io/acme; may be repeated
  --baseline FILE        the JSON output of an earlier scan: show only new findings
  --operator-namespace   Suppressions in this namespace apply to all namespaces (default: podmend)

  --audit-log FILE       events of audit.k8s.io/v1, one JSON object per line: show which rights of the bindings in the manifests
                         nobody used in that time (kubectl get -A -o json roles,clusterroles,rolebindings,clusterrolebindings)
  --as-vap               instead, print the checks as ValidatingAdmissionPolicies with bindings (Kubernetes v1.30 or newer): the API
                         server then refuses objects that fail them, except in kube-system, kube-public and kube-node-lease

These checks have no policy: secret-in-env and secret-in-arguments, because CEL cannot recognise secrets; network-policy,
token-automount, default-account, missing-account, unbound-role and unused-rights, because they depend on other objects; removed-api,
because the API server itself refuses such versions. untrusted-registry has a policy only if you name registries. An existing workload
keeps running; a policy refuses a change of its template if the new template still fails the check.

Suppressions in the manifests are applied. A comment "# podmend-ignore: CHECK, CHECK" ignores these checks in its document.
Exits with 0 if no finding is at or above --fail-on, 1 if at least one is, 2 if something cannot be read; the rest is still checked.`,
    command: true,
    load: async () => (await import('./scan.ts')).runScan,
  },
  diagnose: {
    summary: 'explains why recorded pods fail and how to fix them, without a cluster',
    help: `
Usage: podmend diagnose -f FILE|DIR|- [-f …] [-o text|json|yaml|patch]

  -f  a file with the output of kubectl get -o json or -o yaml, or a folder with pod.json or pods.jsonl, events.jsonl, logs.jsonl
      and others.jsonl; - is standard input
  -o  the output format (default: text)
  --show-secrets  print passwords and tokens instead of ***

Exits with 0 if nothing fails, 1 if something fails, 2 on bad input.`,
    command: true,
    load: async () => (await import('./diagnose.ts')).runDiagnose,
  },
  why: {
    summary: 'explains why a pod in your cluster fails and how to fix it; uses your kubeconfig and needs no operator',
    help: `
Usage: podmend why POD [-n NAMESPACE] [-o text|json|yaml|patch]
       podmend why KIND/NAME [-n NAMESPACE]   the pods of a Deployment, StatefulSet, DaemonSet, ReplicaSet or Job
       podmend why [--all] [-n NAMESPACE]     every failing pod, and every controller that cannot create its pods
       kubectl podmend why …                  the same

  -n, --namespace   the namespace (default: the namespace of the context, otherwise default)
  -o, --output      the output format (default: text); patch prints the commands that apply the first correction to the workload
  --secret-names    also use the names and key names of Secrets, but never their values
  --show-secrets    print passwords and tokens instead of ***
  --context         the context to use (default: the current context)
  --kubeconfig      the kubeconfig file (default: KUBECONFIG or ~/.kube/config)

This command reads with your rights and changes nothing. It skips objects that you may not read and names them on standard error.
Exits with 0 if nothing fails, 1 if something fails, 2 if the pod or namespace does not exist or you have no access.`,
    command: true,
    load: async () => (await import('./why.ts')).runWhy,
  },
  access: {
    summary: 'shows who may do what through roles and bindings, and how somebody could escalate their privileges',
    help: `
Usage: podmend access who-can VERB RESOURCE|PATH [NAME] [-n NAMESPACE] [-f …]
       podmend access rights SUBJECT [--group GROUP] [-f …]
       podmend access paths [SUBJECT] [--to cluster-admin|node|secrets] [--all] [-f …]

  VERB, RESOURCE    as in kubectl: get secrets, create pods/exec, update deployments.apps/scale; PATH is a path such as /healthz
  SUBJECT           user:ann, group:dev, sa:shop/web, system:serviceaccount:shop:web
  -f                read manifests: a file, a folder, or - for standard input. Without -f, the cluster of your kubeconfig is read,
                    with your rights
  -n, --namespace   the namespace to ask about (default: the whole cluster)
  --group           a group that the user is in; may be repeated
  --all             also show paths of Kubernetes' own components (system:…, accounts in kube-system)
  --effort          how many items to look at in the search for paths: a number, or all (default: 5000000, which takes some seconds).
                    If that is not enough, the answer says for how many subjects it is incomplete
  -o, --output      text (default) or json
  --context         the context to use (default: the current context)
  --kubeconfig      the kubeconfig file (default: KUBECONFIG or ~/.kube/config)

paths shows each subject's shortest path to cluster-admin, to a node, or to the Secrets of other namespaces. It shows the bindings that
allow each step, and the one binding whose removal breaks most paths. It considers Pod Security and quotas, but no other admission
policies. Manifests are treated as if they were applied to a fresh Kubernetes 1.36 cluster with one node. Such a cluster has the built-in
roles and bindings (cluster-admin, admin, edit, view, system:…), the namespaces and accounts that the manifests name, and an account
named default in each namespace. A role in the manifests replaces a built-in role with the same name.
Exits with 0 normally; paths exits with 1 if it found a path; 2 on bad input, if something cannot be read, or if not all paths were
searched; everything else is still answered.`,
    command: true,
    load: async () => (await import('./access.ts')).runAccess,
  },
  completion: {
    summary: 'prints the shell completion script for podmend',
    help: `
Usage: podmend completion bash|zsh|fish
       podmend completion words -- WORD…   the completions of the last word, one per line, then a directive for kubectl

  bash   source <(podmend completion bash)         in ~/.bashrc
  zsh    source <(podmend completion zsh)          in ~/.zshrc, after compinit
  fish   podmend completion fish | source          in ~/.config/fish/config.fish

To complete "kubectl podmend", put an executable kubectl_complete-podmend on your PATH that runs: kubectl-podmend completion words -- "$@"
Names of pods, workloads and namespaces are read with your rights. If no name begins with what you typed, similar names are offered.
Exits with 0, or with 2 for an unknown shell.`,
    command: true,
    load: async () => (await import('./completion.ts')).runCompletion,
  },
  demo: {
    summary: 'runs sandbox, operator, agent, scanner and a sample shop in one process; needs no cluster and no database server',
    help: `
Usage: podmend demo

Starts a sandbox, the operator, an agent, a scanner and sample workloads on 127.0.0.1, and prints what to try. You can set PORT, HOST and
SERVICE_TOKEN. Ctrl-C ends the demo. All data is deleted then, unless you set DATA_DIR.`,
    service: 'demo',
    load: async () => (await import('./demo.ts')).runDemo,
  },
  sandbox: {
    summary: 'runs a Kubernetes API in memory with a simulated node, for trials, never for production',
    help: `
Usage: podmend sandbox

Prints its address and the path of a kubeconfig. All data is lost when the sandbox ends. HOST and PORT set the address (default: a free
port on 127.0.0.1).`,
    service: 'sandbox',
    load: async () => (await import('./sandbox.ts')).runSandbox,
  },
  user: {
    summary: 'adds a user or sets a password, from a shell that can reach the database',
    help: `
Usage: podmend user add NAME --role read|write|admin
       podmend user password NAME

The password is the first line of standard input. DATABASE_URL is the address of the PostgreSQL database. Without DATABASE_URL, the
embedded database in DATA_DIR is used. Only one process can open the embedded database, so stop the operator first. A new password ends
the user's sessions and revokes the user's API tokens.
Exits with 0, or with 1 if the name is taken or unknown.`,
    command: true,
    load: async () => (await import('./user.ts')).runUser,
  },
  migrate: {
    summary: 'updates the database schema and exits',
    help: `
Usage: podmend migrate

DATABASE_URL is the address of the PostgreSQL database. Without DATABASE_URL, the embedded database in DATA_DIR is used. Several processes
can run the migration at the same time.
${ENVIRONMENT}`,
    service: 'migrate',
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
};
