import { isDeepStrictEqual } from 'node:util';
import { readFileSync, writeFileSync } from 'node:fs';
import { aggregated } from '../../src/access/aggregate.ts';
import type { RbacRole } from '../../src/access/objects.ts';
import { connect } from '../../src/kube/client.ts';
import { readShipped } from './shipped.ts';

// `TEST_KUBECONFIG=… node test/access/record-built-in.ts` writes src/access/built-in.json, the built-in roles and bindings.
// It omits the rules that the controller writes into aggregated ClusterRoles: they follow from the other roles, and files may add to them.

const file = new URL('../../src/access/built-in.json', import.meta.url);
const client = connect({ kubeconfigText: readFileSync(process.env['TEST_KUBECONFIG'] ?? '', 'utf8'), silenceMs: 30_000 });
const shipped = await readShipped(client);
client.close();
const roles = shipped.filter(({ kind }) => kind === 'ClusterRole') as RbacRole[];
const rulesOf = (role: RbacRole | undefined): string[] => (role?.rules ?? []).map((rule) => JSON.stringify(rule)).toSorted();
for (const role of aggregated(roles)) {
  const stored = roles.find(({ metadata }) => metadata.name === role.metadata.name);
  if (!isDeepStrictEqual(rulesOf(role), rulesOf(stored)))
    throw new Error(`${role.metadata.name}: the cluster has changed it. Record a fresh one`);
}
const lean = shipped.map((object) => ('aggregationRule' in object ? { ...object, rules: [] } : object));
writeFileSync(file, `[\n${lean.map((object) => JSON.stringify(object)).join(',\n')}\n]\n`);
process.stdout.write(`${lean.length} roles and bindings\n`);
