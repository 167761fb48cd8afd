import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { readNeighbours } from '../../src/mirrors/evidence.ts';
import { surroundingsOf } from '../../src/kube/surroundings.ts';
import { mirrorSweep } from '../../src/mirrors/sweep.ts';
import { type ApiServer, apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import { until } from '../support/runner/wait.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;

const rights = suite('rights');

rights('every rule of a role says why it is there', () => {
  const rules = readFileSync(join(root, 'deploy/base/rbac.yaml'), 'utf8')
    .split(/^(?=---$)/m)
    .filter((part) => /^rules:/m.test(part));
  assert.ok(rules.length >= 2);
  for (const role of rules) {
    const [, list = ''] = role.split(/^rules:\n/m);
    assert.match(list, /^ {2}# /, 'a role begins with a reason');
    const groups = list.split(/^(?= {2}# )/m).filter((group) => group.includes('- apiGroups'));
    for (const group of groups) assert.ok((group.match(/- apiGroups/g) ?? []).length <= 2, `one reason for many rules:\n${group}`);
  }
});

rights('no role holds a wildcard', () => {
  for (const file of globSync('deploy/**/*rbac*.yaml', { cwd: root })) {
    assert.not.match(readFileSync(join(root, file), 'utf8'), '*');
  }
});

rights.run();

const assets = apiServerAssets();
if (!assets) {
  console.log('SKIP deploy on a real API server: KUBEBUILDER_ASSETS is not set');
} else {
  const real = suite('deploy on a real API server');
  let server: ApiServer;
  const kubectl = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(join(assets, 'kubectl'), ['--kubeconfig', server.kubeconfig, ...args], { cwd: root });
    return stdout.trim();
  };
  const apply = (yaml: string, ...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        join(assets, 'kubectl'),
        ['--kubeconfig', server.kubeconfig, 'apply', '-f', '-', ...args],
        (error, stdout, stderr) => (error ? reject(new Error(stderr)) : resolve(stdout)),
      );
      child.stdin?.end(yaml);
    });

  real.before(async () => {
    server = await startApiServer();
    await kubectl('apply', '-f', 'deploy/install.yaml');
  });
  real.after(() => server.close());

  const operator = 'system:serviceaccount:podmend:podmend-operator';
  const agent = 'system:serviceaccount:podmend:podmend-agent';
  const scanner = 'system:serviceaccount:podmend:podmend-scanner';
  /** Account, verb, resource (with `/` a subresource, with `:` a name), namespace, answer. */
  const table: [string, string, string, string, 'yes' | 'no'][] = [
    [agent, 'list', 'pods', 'shop', 'yes'],
    [agent, 'watch', 'pods', 'shop', 'yes'],
    [agent, 'list', 'events', 'shop', 'yes'],
    [agent, 'get', 'pods/log', 'shop', 'yes'],
    [agent, 'get', 'replicasets.apps', 'shop', 'yes'],
    [agent, 'get', 'jobs.batch', 'shop', 'yes'],
    [agent, 'list', 'jobs.batch', 'shop', 'yes'],
    [agent, 'list', 'cronjobs.batch', 'shop', 'yes'],
    [agent, 'create', 'pods', 'shop', 'no'],
    [agent, 'delete', 'pods', 'podmend', 'no'],
    [agent, 'create', 'pods/exec', 'shop', 'no'],
    [agent, 'get', 'secrets', 'podmend', 'no'],
    [agent, 'list', 'configmaps', 'shop', 'no'],
    [agent, 'create', 'mirrorpods.podmend.dev', 'shop', 'no'],
    [scanner, 'watch', 'pods', 'shop', 'yes'],
    [scanner, 'list', 'cronjobs.batch', 'shop', 'yes'],
    [scanner, 'list', 'networkpolicies.networking.k8s.io', 'shop', 'yes'],
    [scanner, 'list', 'suppressions.podmend.dev', 'podmend', 'yes'],
    [scanner, 'list', 'suppressions.podmend.dev', 'shop', 'no'],
    [scanner, 'list', 'secrets', 'podmend', 'no'],
    [scanner, 'get', 'secrets', 'shop', 'no'],
    [scanner, 'list', 'configmaps', 'shop', 'no'],
    [scanner, 'get', 'pods/log', 'shop', 'no'],
    [scanner, 'create', 'pods', 'shop', 'no'],
    [scanner, 'patch', 'deployments.apps', 'shop', 'no'],
    [operator, 'create', 'pods', 'shop', 'yes'],
    [operator, 'delete', 'pods', 'shop', 'yes'],
    [operator, 'get', 'pods/log', 'shop', 'yes'],
    [operator, 'list', 'configmaps', 'shop', 'yes'],
    [operator, 'list', 'resourcequotas', 'shop', 'yes'],
    [operator, 'list', 'replicasets.apps', 'shop', 'yes'],
    [operator, 'list', 'controllerrevisions.apps', 'shop', 'yes'],
    [operator, 'get', 'controllerrevisions.apps', 'shop', 'no'],
    [operator, 'create', 'events.events.k8s.io', 'shop', 'yes'],
    [operator, 'patch', 'events.events.k8s.io', 'shop', 'yes'],
    [operator, 'delete', 'events.events.k8s.io', 'shop', 'no'],
    [agent, 'create', 'events.events.k8s.io', 'shop', 'no'],
    [operator, 'create', 'networkpolicies.networking.k8s.io', 'shop', 'yes'],
    [operator, 'patch', 'mirrorpods.podmend.dev/status', 'shop', 'yes'],
    [operator, 'patch', 'suppressions.podmend.dev/status', 'shop', 'yes'],
    [operator, 'create', 'suppressions.podmend.dev', 'podmend', 'yes'],
    [operator, 'create', 'suppressions.podmend.dev', 'shop', 'no'],
    [operator, 'patch', 'mirrorpods.podmend.dev', 'shop', 'no'],
    [operator, 'patch', 'pods', 'shop', 'no'],
    [operator, 'watch', 'jobs.batch', 'shop', 'yes'],
    [operator, 'get', 'secrets', 'shop', 'no'],
    [operator, 'list', 'secrets', 'podmend', 'no'],
    [operator, 'get', 'secrets', 'podmend', 'yes'],
    [operator, 'patch', 'secrets', 'podmend', 'yes'],
    [operator, 'patch', 'secrets', 'shop', 'no'],
    [operator, 'delete', 'secrets', 'shop', 'no'],
    [operator, 'watch', 'secrets', 'podmend', 'no'],
    [operator, 'create', 'notificationproviders.podmend.dev', 'podmend', 'yes'],
    [operator, 'list', 'notificationproviders.podmend.dev', 'shop', 'no'],
    [operator, 'get', 'secrets:podmend-keys', 'podmend', 'yes'],
    [operator, 'create', 'secrets', 'podmend', 'yes'],
    [operator, 'create', 'secrets', 'shop', 'no'],
    [operator, 'update', 'secrets:podmend-keys', 'podmend', 'no'],
    [operator, 'update', 'leases.coordination.k8s.io:podmend', 'podmend', 'yes'],
    [operator, 'update', 'leases.coordination.k8s.io', 'kube-system', 'no'],
    [operator, 'delete', 'leases.coordination.k8s.io', 'podmend', 'no'],
    [operator, 'create', 'pods/exec', 'shop', 'no'],
    [operator, 'create', 'pods/ephemeralcontainers', 'shop', 'no'],
    [operator, 'patch', 'deployments.apps', 'shop', 'no'],
    [operator, 'delete', 'namespaces', 'shop', 'no'],
    [operator, 'create', 'clusterrolebindings.rbac.authorization.k8s.io', 'shop', 'no'],
    [operator, 'create', 'serviceaccounts/token', 'podmend', 'no'],
  ];
  real('the accounts may do what they need and nothing that gives them more', async () => {
    const wrong: string[] = [];
    const ask = async ([account, verb, resource, namespace, expected]: (typeof table)[number]): Promise<void> => {
      const [type = '', subresource] = resource.split('/');
      const name = type.replace(':', '/');
      const args = [
        'auth',
        'can-i',
        verb,
        name,
        ...(subresource ? ['--subresource', subresource] : []),
        '--namespace',
        namespace,
        '--as',
        account,
      ];
      // kubectl exits with 1 when the answer is no.
      const answer = await kubectl(...args).catch((error: Error & { stdout?: string }) => error.stdout?.trim() ?? error.message);
      if (answer !== expected) wrong.push(`${account} ${verb} ${resource} in ${namespace}: ${answer}, expected ${expected}`);
    };
    // A new API server first creates its default roles.
    await until(() => kubectl('auth', 'can-i', 'list', 'pods', '--as', agent), { what: 'the roles to be in force' });
    const queue = [...table];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let row = queue.shift(); row; row = queue.shift()) await ask(row);
      }),
    );
    assert.equal(wrong, []);
  });

  real('with WATCH_NAMESPACES, a Role in those namespaces is enough', async () => {
    await kubectl('create', 'namespace', 'watched');
    const { rules } = JSON.parse(await kubectl('get', 'clusterrole', 'podmend-operator', '-o', 'json')) as {
      rules: { resources: string[] }[];
    };
    const clusterScoped = ['nodes', 'priorityclasses'];
    const own = rules.filter(({ resources }) => !resources.some((resource) => clusterScoped.includes(resource)));
    const metadata = { name: 'narrow', namespace: 'watched' };
    await apply(JSON.stringify({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules: own }));
    await kubectl('create', 'serviceaccount', 'narrow', '--namespace=watched');
    await kubectl('create', 'rolebinding', 'narrow', '--role=narrow', '--serviceaccount=watched:narrow', '--namespace=watched');
    const token = await kubectl('create', 'token', 'narrow', '--namespace=watched');
    const config = JSON.parse(await kubectl('config', 'view', '--raw', '-o', 'json')) as { users: { user: object }[] };
    for (const entry of config.users) entry.user = { token };
    const client = connect({ kubeconfigText: JSON.stringify(config), namespaces: ['watched'] });
    const now = () => new Date();
    await until(
      () =>
        client.list(KINDS.mirrorPod).then(
          () => true,
          () => false,
        ),
      { what: 'the Role to be in force' },
    );
    await mirrorSweep({ client, trials: { unfinished: async () => [], end: async () => undefined }, now })();
    assert.equal((await readNeighbours(client, 'watched')).hasPriorityClass, false);
    const { nodes, configMaps } = await surroundingsOf({ client, watchNamespaces: ['watched'], now })('watched');
    assert.is(nodes, undefined);
    assert.ok(configMaps);
    await client.healthy();
    client.close();
  });

  const mirror = (
    name: string,
    spec = '{source: {name: web-1}, ttlSeconds: 60, template: {spec: {containers: [{name: web, image: "web:1"}]}}}',
  ) => `{apiVersion: podmend.dev/v1alpha1, kind: MirrorPod, metadata: {name: ${name}, namespace: default}, spec: ${spec}}`;
  const as = ['--as', 'dev', '--as-group', 'developers'];
  const failureOf = (work: Promise<string>): Promise<string> =>
    work.then(
      (text) => `accepted: ${text}`,
      (error: Error) => error.message,
    );

  real('who may not create pods cannot create a MirrorPod, nor lengthen one; who may, can', async () => {
    await kubectl(
      'create',
      'role',
      'mirrors',
      '--verb=get,list,create,patch,update',
      '--resource=mirrorpods.podmend.dev',
      '--namespace=default',
    );
    await kubectl('create', 'rolebinding', 'mirrors', '--role=mirrors', '--group=developers', '--namespace=default');
    await apply(mirror('of-admin'));
    // The API server takes a moment to compile a new policy.
    const refused = await until(
      async () => {
        const answer = await failureOf(apply(mirror('of-dev'), ...as, '--dry-run=server'));
        return answer.startsWith('accepted') ? undefined : answer;
      },
      { what: 'the policy to refuse a developer' },
    );
    assert.match(refused, 'only who may create pods in namespace default may create or change a MirrorPod there');
    assert.match(
      await failureOf(kubectl('patch', 'mirrorpod', 'of-admin', '--type=merge', '-p', '{"spec":{"ttlSeconds":40}}', ...as)),
      'only who may create pods',
    );
    assert.match(
      await failureOf(kubectl('annotate', 'mirrorpod', 'of-admin', 'note=seen', ...as)),
      'accepted',
      'a note asks for nothing more',
    );

    await kubectl('create', 'role', 'pods', '--verb=create', '--resource=pods', '--namespace=default');
    await kubectl('create', 'rolebinding', 'pods', '--role=pods', '--group=developers', '--namespace=default');
    await until(() => apply(mirror('of-dev'), ...as), { what: 'the developer’s new right' });
  });

  real('a template cannot change, even where the schema does not check it', async () => {
    const other = '{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}';
    const answer = await failureOf(kubectl('patch', 'mirrorpod', 'of-admin', '--type=merge', '-p', other));
    assert.match(answer, /spec\.template cannot change|immutable/i);
    assert.match(
      await failureOf(kubectl('patch', 'mirrorpod', 'of-admin', '--type=merge', '-p', '{"spec":{"ttlSeconds":50}}')),
      'accepted',
    );
  });

  real('the priority of mirrors is below everything and never preempts', async () => {
    const [value, policy] = (await kubectl('get', 'priorityclass', 'podmend-mirror', '-o', 'jsonpath={.value} {.preemptionPolicy}')).split(
      ' ',
    );
    assert.ok(Number(value) < 0);
    assert.is(policy, 'Never');
  });
  real.run();
}
