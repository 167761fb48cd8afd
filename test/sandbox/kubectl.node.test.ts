import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { findKubectl, type Kubectl, kubectlFor } from '../support/cluster/kubectl.ts';

/**
 * The commands of a newcomer, on a real cluster and on the sandbox. kubectl must print the same lines, except for what differs in each run.
 */

const ADMIN = process.env['TEST_KUBECONFIG'];
const NAMESPACE = `typed-${Date.now().toString(36)}`;
const PODS = `
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {terminationGracePeriodSeconds: 0, containers: [{name: app, image: 'web:1', readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: crash}
spec: {restartPolicy: Never, containers: [{name: app, image: 'busybox:1.35', command: [sh, -c, 'echo no database >&2; exit 1']}]}
`;
const SHOP = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec: {selector: {matchLabels: {app: shop}}, template: {metadata: {labels: {app: shop}}, spec: {terminationGracePeriodSeconds: 0, containers: [{name: shop, image: 'web:1'}]}}}
`;
const MIRROR = `
apiVersion: podmend.dev/v1alpha1
kind: MirrorPod
metadata: {name: try}
spec: {source: {name: crash}, ttlSeconds: 60, template: {spec: {containers: [{name: app, image: 'web:1'}]}}}
`;

/** These commands must fail. All others must succeed. */
const REFUSED = ['get nothing', 'get pods nothing', 'logs crash -c nope', 'label pod web tier=back'];

/** A command, its input, and a pattern for lines that only one side may have. A comment gives the reason. */
type Typed = [command: string, input?: string, except?: RegExp];

/** Lines in which the two may differ: properties of a node, and what a real node starts at its own pace. */
const NODE = /^(Node:|Runtime|Container ID|Image ID|\s+(Container ID|Image ID|Node):|.*kube-api-access)/;
const EVENTS = /^ (Normal|Warning) /;

/** The sandbox does not sum up the resources of a whole pod. On a real node, the sum depends on its cgroups. */
const WHOLE = /^ (resources:|limits:|memory: \d{16}Ki)/;
/** The sandbox has no descriptions of fields for Kubernetes' own kinds. */
const WORDS = /^ (?!\w+ <)/;

const COMMANDS: Typed[] = [
  ['apply -f -', `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${NAMESPACE}}\n`],
  ['apply -f -', PODS],
  ['apply -f -', PODS],
  ['apply --server-side -f -', SHOP],
  ['apply --server-side -f -', SHOP],
  ['wait --for=condition=Ready pod/web --timeout=20s'],
  ['wait --for=jsonpath={.status.phase}=Failed pod/crash --timeout=20s'],
  ['describe pod crash', '', EVENTS],
  ['rollout status deployment/shop --timeout=20s', '', /^Waiting/],
  ['get pods web'],
  ['get pods web -o wide'],
  ['get pods web -o name'],
  ['get pods web -w --request-timeout=1s'],
  ['get deployments,replicasets'],
  ['get pod web -o yaml', '', WHOLE],
  ['get deployment shop -o json'],
  ['get nothing'],
  ['get pods nothing'],
  ['describe pod web', '', EVENTS],
  ['describe deployment shop'],
  ['logs crash'],
  ['logs crash -c app --tail=1'],
  ['logs crash -c nope'],
  ['explain pod.spec.containers.livenessProbe', '', WORDS],
  ['explain deployment.spec.strategy', '', WORDS],
  ['scale deployment/shop --replicas=2'],
  ['label pod web tier=front'],
  ['label pod web tier=back'],
  ['annotate pod web note=x'],
  ['apply -f -', MIRROR],
  ['get mirrorpods'],
  ['describe mirrorpod try'],
  ['explain mirrorpod.spec'],
  ['delete mirrorpod try'],
  ['delete pod web crash --grace-period=0 --force'],
  ['delete deployment shop'],
  ['delete namespace NAMESPACE --wait=false'],
];

const masked = (text: string): string[] =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\w{3}, \d\d \w{3} \d{4} [\d:]+ [+-]\d{4}/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/\b10\.\d+\.\d+\.\d+\b/g, 'ADDRESS')
    .replaceAll(/\b(containerd:\/\/|sha256:)[0-9a-f]{64}/g, '$1ID')
    .replaceAll(/shop-[bcdfghjklmnpqrstvwxz2456789]{8,10}(-[bcdfghjklmnpqrstvwxz2456789]{5})?(?![a-z0-9])/g, 'shop-HASH')
    .replaceAll(/(pod-template-hash"?[:=] ?"?)[a-z0-9]+/g, '$1HASH')
    .replaceAll(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-XXXXX')
    .replaceAll(/sandbox-node(\/127\.0\.0\.1)?|node-1(\/[\d.]+)?/g, 'NODE')
    .replaceAll(/("?resourceVersion"?: )"\d+"/g, '$1VERSION')
    .replaceAll(/(Resource Version:\s+)\d+/g, '$1VERSION')
    .replaceAll(/\b(\d+m)?\d+s\b( ago)?/g, 'AGE')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()
    .split('\n');

const found = await findKubectl();
if (!ADMIN) console.log('SKIP kubectl side by side: TEST_KUBECONFIG is not set');
else if ('missing' in found) console.log(`SKIP kubectl side by side: ${found.missing}`);
else {
  const test = suite('kubectl prints of the sandbox what it prints of a real cluster');
  const sandbox = await startSandbox();
  const both = await Promise.all([kubectlFor(found.path, sandbox.kubeconfig), kubectlFor(found.path, readFileSync(ADMIN, 'utf8'))]);
  test.before(async () => {
    await Promise.all(both.map((kubectl) => kubectl(['apply', '-f', new URL('../../crds', import.meta.url).pathname])));
  });
  test.after(async () => {
    await Promise.all(both.map((kubectl) => kubectl.close()));
    await sandbox.close();
  });
  for (const [i, [command, input, except]] of COMMANDS.entries())
    test(`${i}: kubectl ${command}`, async () => {
      const args = command.replace('NAMESPACE', NAMESPACE).split(' ');
      const inside = args.includes(NAMESPACE) ? args : [...args, '-n', NAMESPACE];
      const print = async (kubectl: Kubectl) => {
        const { code, stdout, stderr } = await kubectl(inside, input || undefined);
        const isOwn = (line: string) => NODE.test(line) || except?.test(line);
        // A kubelet may repeat at any time what a watch has already shown.
        const isNews = (line: string, at: number, lines: string[]) => !args.includes('-w') || line !== lines[at - 1];
        const shown = (text: string) => masked(text).filter((line, at, lines) => !isOwn(line) && isNews(line, at, lines));
        return [`exit ${code}`, ...shown(stdout), ...shown(stderr)];
      };
      const [pretended = [], real = []] = await Promise.all(both.map(print));
      assert.equal(pretended, real);
      if (!command.includes('-w')) assert.is(real[0] === 'exit 0', !REFUSED.includes(command), real.join('\n'));
    });
  test.run();
}
