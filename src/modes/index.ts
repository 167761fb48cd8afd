import type { Mode } from './mode.ts';

const ENVIRONMENT = 'It is configured by environment variables; deploy/README.md lists them.';

/** All modes by their name on the command line. */
export const MODES: Record<string, Mode> = {
  operator: {
    summary: 'the reconcilers and the HTTP interface; needs a cluster and a database',
    help: `
Usage: podmend operator

Serves HOST:PORT (0.0.0.0:8000), stores its records in DATABASE_URL or in DATA_DIR, and finds the cluster as kubectl does
(KUBECONFIG, or the service account in a pod). Needs SERVICE_TOKEN, the secret that it shares with the agents.
${ENVIRONMENT}`,
    service: 'operator',
    load: async () => (await import('./operator.ts')).runOperator,
  },
  agent: {
    summary: 'watches the pods of one node and reports those that fail',
    help: `
Usage: podmend agent

Watches the pods of NODE_NAME (of all nodes when it is unset) and reports to BACKEND_URL with SERVICE_TOKEN.
${ENVIRONMENT}`,
    service: 'agent',
    load: async () => (await import('./agent.ts')).runAgent,
  },
  scanner: {
    summary: 'judges the workloads of the cluster by security checks and reports what it finds',
    help: `
Usage: podmend scanner

Watches all namespaces (or WATCH_NAMESPACES) and reports to BACKEND_URL with SERVICE_TOKEN. A change is judged within seconds,
everything each SCAN_INTERVAL_SECONDS and when somebody asks for it.
${ENVIRONMENT}`,
    service: 'scanner',
    load: async () => (await import('./scanner.ts')).runScanner,
  },
  scan: {
    summary: 'judges manifests by security checks, without a cluster',
    help: `
Usage: podmend scan -f FILE|DIR|- [-f …] [-o table|json|sarif|junit|csv|openreports] [--fail-on SEVERITY]
       podmend scan --as-vap [--check CHECK …] [--trusted-registry REGISTRY …] | kubectl apply -f -

  -f  a file with YAML documents or JSON, a folder with such files, or - for standard input (helm template, kustomize build,
      kubectl get -o json)
  -o, --output           the output format (default: table)
  --fail-on              critical, high (default), medium, low, info or none
  --min-severity         leave out what is less severe (default: low)
  --check CHECK          only this check, whatever its severity; may be repeated
  --kubernetes-version   the rules of that version, such as v1.34 (default: the newest)
  --trusted-registry     a registry that images may come from, like ghcr.io/acme; may be repeated
  --baseline FILE        the JSON of an earlier scan: tell only what is new
  --operator-namespace   where Suppressions among the manifests hold for all namespaces (default: podmend)

  --audit-log FILE       events of audit.k8s.io/v1, one JSON object a line: tell which rights of the bindings among the manifests
                         nobody used in that time (kubectl get -A -o json roles,clusterroles,rolebindings,clusterrolebindings)
  --as-vap               print the checks as ValidatingAdmissionPolicies with bindings (Kubernetes v1.30 or newer) instead:
                         the API server then refuses what they find, except in kube-system, kube-public and kube-node-lease

CEL cannot express secret-in-env, secret-in-arguments (what looks like a secret), network-policy, token-automount,
default-account, missing-account, unbound-role, unused-rights (they depend on other objects) and removed-api (the API server refuses those versions): they have no policy, and
untrusted-registry has one when registries are named. A workload that was there before may go on; a policy refuses it when its
template changes and still breaks the rule.

Suppressions among the manifests count, and so does a comment "# podmend-ignore: CHECK, CHECK" for its document.
Exits with 0 when nothing at or above --fail-on is found, 1 when something is, 2 when something cannot be read; the rest is
still judged.`,
    command: true,
    load: async () => (await import('./scan.ts')).runScan,
  },
  diagnose: {
    summary: 'says why the pods of a recording fail and how to correct them, without a cluster',
    help: `
Usage: podmend diagnose -f FILE|DIR|- [-f …] [-o text|json|yaml|patch]

  -f  a file that kubectl get -o json or -o yaml printed, or a folder with pod.json or pods.jsonl, events.jsonl, logs.jsonl
      and others.jsonl; - is standard input
  -o  the output format (default: text)
  --show-secrets  print passwords and tokens; without it they are printed as ***

Exits with 0 when nothing fails, 1 when something fails, 2 on bad input.`,
    command: true,
    load: async () => (await import('./diagnose.ts')).runDiagnose,
  },
  why: {
    summary: 'says why a pod fails and how to correct it, live with your own kubeconfig, without an operator',
    help: `
Usage: podmend why POD [-n NAMESPACE] [-o text|json|yaml|patch]
       podmend why KIND/NAME [-n NAMESPACE]   what belongs to a Deployment, StatefulSet, DaemonSet, ReplicaSet or Job
       podmend why [--all] [-n NAMESPACE]     every failing pod, and every controller that cannot create its pods
       kubectl podmend why …                  the same

  -n, --namespace   the namespace (default: that of the context, else default)
  -o, --output      the output format (default: text); patch prints the commands that apply the first correction to the workload
  --secret-names    also read Secrets, for their names and key names (never values)
  --show-secrets    print passwords and tokens; without it they are printed as ***
  --context         a context other than the current one
  --kubeconfig      a file other than KUBECONFIG or ~/.kube/config

It reads with your rights and changes nothing. What you may not read is skipped and named on standard error.
Exits with 0 when nothing fails, 1 when something fails, 2 when there is no such pod or namespace, or no access.`,
    command: true,
    load: async () => (await import('./why.ts')).runWhy,
  },
  access: {
    summary: 'says who may do what by roles and bindings, and how somebody could come to more',
    help: `
Usage: podmend access who-can VERB RESOURCE|PATH [NAME] [-n NAMESPACE] [-f …]
       podmend access rights SUBJECT [--group GROUP] [-f …]
       podmend access paths [SUBJECT] [--to cluster-admin|node|secrets] [--all] [-f …]

  VERB, RESOURCE    as kubectl writes them: get secrets, create pods/exec, update deployments.apps/scale; a path is like /healthz
  SUBJECT           user:ann, group:dev, sa:shop/web, system:serviceaccount:shop:web
  -f                answer from manifests: a file, a folder, or - for standard input. Without it the cluster of your kubeconfig is
                    read, with your rights
  -n, --namespace   the namespace that is asked about (default: the whole cluster)
  --group           a group that the user is in; may be repeated
  --all             also paths of Kubernetes' own components (system:…, accounts in kube-system)
  --effort          how much to look at in search of paths: a number, or all (default: 5000000, which takes some seconds). Beyond it,
                    the answer says of how many subjects something is left out
  -o, --output      text (default) or json
  --context         a context other than the current one
  --kubeconfig      a file other than KUBECONFIG or ~/.kube/config

paths shows the shortest way of each subject to everything, to a node, or to the Secrets of another namespace; each step with the
bindings that let it, and the one binding whose removal breaks most paths. Admission policies other than Pod Security and quotas
are not looked at. Manifests are taken to lie in a fresh cluster of Kubernetes 1.36 with a node: the roles and bindings that every
cluster has (cluster-admin, admin, edit, view, system:…), the namespaces and accounts that they name, and the account default of
each namespace. A role of the manifests stands in the place of one of the same name.
Exits with 0; paths exits with 1 when there is one; 2 on bad input, when something cannot be read, or when not all
paths were searched; the rest is answered.`,
    command: true,
    load: async () => (await import('./access.ts')).runAccess,
  },
  completion: {
    summary: 'prints the completion of podmend for a shell',
    help: `
Usage: podmend completion bash|zsh|fish
       podmend completion words -- WORD…   what can stand for the last word: one a line, then a directive as kubectl reads it

  bash   source <(podmend completion bash)         in ~/.bashrc
  zsh    source <(podmend completion zsh)          in ~/.zshrc, after compinit
  fish   podmend completion fish | source          in ~/.config/fish/config.fish

kubectl completes "kubectl podmend" when a file kubectl_complete-podmend on the PATH runs: kubectl-podmend completion words -- "$@"
Names of pods, workloads and namespaces are read with your rights. When none begins with what is typed, similar ones are offered.
Exits with 0, or with 2 for another shell.`,
    command: true,
    load: async () => (await import('./completion.ts')).runCompletion,
  },
  demo: {
    summary: 'sandbox, operator, agent, scanner and a shop of failing workloads in one process: no cluster, no database server',
    help: `
Usage: podmend demo

Starts a sandbox, the operator, an agent, a scanner and sample workloads on 127.0.0.1 and prints what to try. PORT, HOST and
SERVICE_TOKEN are read. Nothing is kept after the end unless DATA_DIR is set. Ctrl-C ends the demo.`,
    service: 'demo',
    load: async () => (await import('./demo.ts')).runDemo,
  },
  sandbox: {
    summary: 'a Kubernetes API in memory, with a simulated node; for trials, never for production',
    help: `
Usage: podmend sandbox

Prints its address and the path of a kubeconfig. Nothing is kept after the end. HOST and PORT set the address
(default: a free port of 127.0.0.1).`,
    service: 'sandbox',
    load: async () => (await import('./sandbox.ts')).runSandbox,
  },
  user: {
    summary: 'adds a user or sets a password, from a shell that reaches the database',
    help: `
Usage: podmend user add NAME --role read|write|admin
       podmend user password NAME

The password is the first line of standard input. DATABASE_URL names the PostgreSQL database. Without it the
embedded database in DATA_DIR is used. Only one process can open it, so stop the operator first. A new password ends the user's
sessions and API tokens.
Exits with 0, or with 1 when the name is taken or unknown.`,
    command: true,
    load: async () => (await import('./user.ts')).runUser,
  },
  migrate: {
    summary: 'brings the database schema up to date and exits',
    help: `
Usage: podmend migrate

DATABASE_URL names the PostgreSQL database. Without it the embedded database in DATA_DIR is used. Several processes may run it
at the same time.
${ENVIRONMENT}`,
    service: 'migrate',
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
};
