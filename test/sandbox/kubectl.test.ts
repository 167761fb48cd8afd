import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Kubectl, findKubectl, kubectlFor } from '../support/cluster/kubectl.ts';

/** Runs real kubectl on the sandbox. Each sentence is a command, its input, and what it must print. */

const WIDGETS = readFileSync(new URL('widgets.yaml', import.meta.url), 'utf8');
const WEB = `
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: app, image: 'web:1', readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}]}
`;
const CRASHING = `
apiVersion: v1
kind: Pod
metadata: {name: crash}
spec: {containers: [{name: app, image: 'busybox:1.35', command: [sh, -c, 'echo no database >&2; exit 1']}]}
`;
const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  selector: {matchLabels: {app: shop}}
  template: {metadata: {labels: {app: shop}}, spec: {containers: [{name: shop, image: 'web:1'}]}}
---
apiVersion: v1
kind: Service
metadata: {name: shop}
spec: {selector: {app: shop}, ports: [{port: 80}]}
`;
const WIDGET = (color: string) => `apiVersion: test.dev/v1\nkind: Widget\nmetadata: {name: w}\nspec: {color: ${color}}\n`;

interface Sentence {
  command: string;
  input?: string;
  /** If the command must fail: a pattern for its error. */
  fails?: RegExp;
  says?: RegExp[];
}

const SENTENCES: Sentence[] = [
  { command: 'version', says: [/Server Version: v1\.36/] },
  { command: 'cluster-info', says: [/control plane is running at http:\/\/127/] },
  { command: 'auth can-i create pods', says: [/^yes/] },
  { command: 'get nodes', says: [/sandbox-node\s+Ready/] },
  { command: 'get namespaces', says: [/default\s+Active/, /kube-system/] },
  { command: 'apply -f -', input: WIDGETS, says: [/widgets\.test\.dev created/] },
  { command: 'wait --for=condition=Established crd/widgets.test.dev', says: [/condition met/] },
  { command: 'apply -f -', input: WEB + '---' + CRASHING, says: [/pod\/web created/, /pod\/crash created/] },
  { command: 'apply -f -', input: DEPLOYMENT, says: [/deployment\.apps\/shop created/, /service\/shop created/] },
  { command: 'apply -f -', input: WEB, says: [/pod\/web unchanged/] },
  { command: 'wait --for=condition=Ready pod/web --timeout=5s', says: [/condition met/] },
  {
    command: 'wait --for=jsonpath={.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff pod/crash --timeout=5s',
    says: [/condition met/],
  },
  {
    command: 'get pods',
    says: [/NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE/, /web\s+1\/1\s+Running\s+0/, /crash\s+\d\/1\s+\w+\s+[1-9] \(\d+s ago\)/],
  },
  { command: 'get po -o wide', says: [/IP\s+NODE\s+NOMINATED NODE\s+READINESS GATES/, /10\.244\.\d+\.\d+\s+sandbox-node/] },
  { command: 'get pods -A -l app=web -o name', says: [/^pod\/web\n$/] },
  { command: 'get pods --field-selector=spec.nodeName=sandbox-node -o name', says: [/pod\/crash/] },
  { command: 'get pod web -o yaml', says: [/restartPolicy: Always/, /phase: Running/] },
  { command: 'get pod web -o jsonpath={.spec.containers[0].image}', says: [/^web:1$/] },
  { command: 'get pod web -o jsonpath={.status.containerStatuses[0].image}', says: [/^docker\.io\/library\/web:1$/] },
  { command: 'get pods -w --request-timeout=1s', says: [/web\s+1\/1/] },
  { command: 'logs web', says: [/listening on :80/] },
  { command: 'logs crash -c app --previous', says: [/^no database\n$/] },
  { command: 'logs web -c nope', fails: /container nope is not valid for pod web/ },
  { command: 'describe pod crash', says: [/Last State:\s+Terminated/, /Exit Code:\s+1/, /Back-off restarting failed container/] },
  { command: 'rollout status deployment/shop --timeout=5s', says: [/successfully rolled out/] },
  { command: 'scale deployment/shop --replicas=2', says: [/scaled/] },
  { command: 'get deployment,rs,svc,endpointslices', says: [/deployment\.apps\/shop/, /service\/shop\s+ClusterIP/] },
  { command: 'label pod web tier=front', says: [/labeled/] },
  { command: 'annotate pod web note=x', says: [/annotated/] },
  { command: 'patch pod web --type=merge -p {"metadata":{"labels":{"tier":null}}}', says: [/patched/] },
  { command: 'explain pod.spec.containers.livenessProbe', says: [/FIELD: livenessProbe <Probe>/, /failureThreshold\s+<integer>/] },
  { command: 'explain widget.spec', says: [/GROUP:\s+test\.dev/, /What is wanted\./, /color\s+<string> -required-/] },
  { command: 'explain deployment.spec.strategy --recursive', says: [/rollingUpdate/, /maxSurge/] },
  { command: 'create -f -', input: WIDGET('red'), says: [/widget\.test\.dev\/w created/] },
  { command: 'create -f -', input: WIDGET('red'), fails: /widgets\.test\.dev "w" already exists/ },
  {
    command: 'create -f -',
    input: WIDGET('green').replace('name: w', 'name: x'),
    fails: /spec\.color: Unsupported value: "green": supported values: "red", "blue"/,
  },
  {
    command: 'create -f -',
    input: WIDGET('red, shape: round').replace('name: w', 'name: x'),
    fails: /strict decoding error: unknown field "spec\.shape"/,
  },
  { command: 'apply --server-side -f -', input: WIDGET('red'), says: [/serverside-applied/] },
  { command: 'get wd', says: [/NAME\s+COLOR\s+AGE/, /w\s+red\s+\d+s/] },
  { command: 'get testcat -A', says: [/default\s+w\s+red/] },
  { command: 'describe widget w', says: [/Kind:\s+Widget/, /Color:\s+red/] },
  { command: 'patch widget w --type=merge -p {"spec":{"color":"blue"}}', fails: /color is immutable/ },
  { command: 'get pods nothing', fails: /pods "nothing" not found/ },
  { command: 'get gadgets', fails: /doesn't have a resource type "gadgets"/ },
  { command: 'delete pod web --grace-period=1', says: [/"web" deleted/] },
  { command: 'wait --for=delete pod/web --timeout=5s' },
  { command: 'delete deployment shop --cascade=foreground', says: [/deleted/] },
  { command: 'delete crd widgets.test.dev', says: [/deleted/] },
  { command: 'get widgets', fails: /the server (doesn't have a resource type|could not find the requested resource)/ },
];

const found = await findKubectl();
if ('missing' in found) console.log(`SKIP kubectl and the sandbox: ${found.missing}`);
else {
  const test = suite('kubectl finds the sandbox a cluster');
  let sandbox: Sandbox;
  let kubectl: Kubectl;

  test.before(async () => {
    sandbox = await startSandbox({ speed: 20 });
    kubectl = await kubectlFor(found.path, sandbox.kubeconfig);
  });
  test.after(async () => {
    await kubectl.close();
    await sandbox.close();
  });

  for (const { command, input, fails, says = [] } of SENTENCES)
    test(`kubectl ${command}`, async () => {
      const { code, stdout, stderr } = await kubectl(command.split(' '), input);
      if (fails) {
        assert.is.not(code, 0, stdout);
        return assert.match(stderr, fails);
      }
      if (!command.includes('-w')) assert.is(code, 0, stderr);
      for (const expected of says) assert.match(stdout, expected, stderr);
    });

  test.run();
}
