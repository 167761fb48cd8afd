import type { Mode } from './mode.ts';

const ENVIRONMENT = 'It is configured by environment variables; the README has the table.';

/** Every mode by its name on the command line (DESIGN section 2, "Run modes"). */
export const MODES: Record<string, Mode> = {
  operator: {
    summary: 'the reconcilers and the HTTP interface; needs a cluster and a database',
    help: `
Usage: podmend operator

Serves HOST:PORT (0.0.0.0:8000), keeps its records in DATABASE_URL or in DATA_DIR, and finds the cluster as kubectl does
(KUBECONFIG, or its service account in a pod). Needs SERVICE_TOKEN, which its agents share.
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
  diagnose: {
    summary: 'says why the pods of a recording fail and what cures them, without a cluster',
    help: `
Usage: podmend diagnose -f FILE|DIR|- [-f …] [-o text|json|yaml]

  -f  what kubectl get -o json or -o yaml printed, or a folder with pod.json or pods.jsonl, events.jsonl, logs.jsonl and
      others.jsonl; - is standard input
  -o  how to answer (text)

Ends with 0 when nothing fails, 1 when something does, 2 on bad input.`,
    command: true,
    load: async () => (await import('./diagnose.ts')).runDiagnose,
  },
  why: {
    summary: 'says why a pod fails and what cures it, live through your own kubeconfig, without an operator',
    help: `
Usage: podmend why POD [-n NAMESPACE] [-o text|json|yaml]
       podmend why [--all] [-n NAMESPACE]     every failing pod, and every controller that cannot make its pods
       kubectl podmend why …                  the same

  -n, --namespace   where (the namespace of the context, else default)
  -o, --output      how to answer (text)
  --secret-names    read Secrets too, for their names and key names (never values)
  --context         another context than the current one
  --kubeconfig      another file than KUBECONFIG or ~/.kube/config name

Reads with your rights and changes nothing; secrets are masked. What you may not read is passed over and named on standard error.
Ends with 0 when nothing fails, 1 when something does, 2 when there is no such pod or namespace, or no access.`,
    command: true,
    load: async () => (await import('./why.ts')).runWhy,
  },
  demo: {
    summary: 'all of it in one process, with a shop of failing workloads: no cluster, no database server',
    help: `
Usage: podmend demo

Starts a sandbox, the operator, an agent and sample workloads on 127.0.0.1 and prints what to try. PORT, HOST and
SERVICE_TOKEN are honoured; nothing is kept unless DATA_DIR is set. Ctrl-C ends it.`,
    service: 'demo',
    load: async () => (await import('./demo.ts')).runDemo,
  },
  sandbox: {
    summary: 'a Kubernetes API in memory, with a pretend node; for trying, never for production',
    help: `
Usage: podmend sandbox

Prints its address and the path of a kubeconfig. Its state ends with it. HOST and PORT say where it listens
(default: a free port of 127.0.0.1).`,
    service: 'sandbox',
    load: async () => (await import('./sandbox.ts')).runSandbox,
  },
  user: {
    summary: 'adds a user or sets a password, from a shell that reaches the database',
    help: `
Usage: podmend user add NAME --role read|write|admin
       podmend user password NAME

The password is the first line of standard input. DATABASE_URL names the PostgreSQL; without it the embedded database in
DATA_DIR is meant, which only one process can open: stop the operator first. A new password ends the user's sessions.
Ends with 0, or with 1 when the name is taken or unknown.`,
    command: true,
    load: async () => (await import('./user.ts')).runUser,
  },
  migrate: {
    summary: 'brings the database schema up to date and ends',
    help: `
Usage: podmend migrate

DATABASE_URL names a PostgreSQL; without it the embedded database in DATA_DIR is meant. Safe to run by several at once.
${ENVIRONMENT}`,
    service: 'migrate',
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
};
