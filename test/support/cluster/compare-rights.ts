import { createReadStream, globSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { loadManifests } from '../../../src/crd/manifest.ts';
import { type AuditEvent, compareRights, grantedRights, tellRight } from './rights.ts';

// `node test/support/cluster/compare-rights.ts AUDIT_LOG` checks least rights in both directions. It compares the rights of deploy/ with
// the audit log of a whole run. It fails for a right that nobody used, and for a request that lacked a right.

/** Rights whose use no log of this cluster can show, each with its reason. An entry also fails if its right is used or no longer exists. */
const UNSEEN: Record<string, string> = {
  'podmend-operator: update mirrorpods.podmend.dev/finalizers':
    'asked for inside the API server while a mirror is created: without it OwnerReferencesPermissionEnforcement, which runs here, refuses',
};

const root = new URL('../../../', import.meta.url);
const [log] = process.argv.slice(2);
if (!log) throw new Error('usage: node test/support/cluster/compare-rights.ts AUDIT_LOG');

const files = globSync('deploy/base/*.yaml', { cwd: root.pathname });
const objects = files.flatMap((file) => loadManifests(readFileSync(new URL(file, root), 'utf8')) as KubeObject[]);
const rights = grantedRights(objects);
const { used, refused } = compareRights(rights, await eventsOf(log));

const told = used.map(({ right, requests }) => ({ text: tellRight(right), requests }));
const width = Math.max(...told.map(({ text }) => text.length));
for (const { text, requests } of told) console.log(`${text.padEnd(width)}  ${requests}${UNSEEN[text] ? `  (${UNSEEN[text]})` : ''}`);

const problems = [
  ...told.filter(({ text, requests }) => requests === 0 && !UNSEEN[text]).map(({ text }) => `never used: ${text}`),
  ...told.filter(({ text, requests }) => requests > 0 && UNSEEN[text]).map(({ text }) => `used, though it counts as unseen: ${text}`),
  ...Object.keys(UNSEEN).flatMap((text) =>
    told.some((one) => one.text === text) ? [] : [`counts as unseen, but is not granted: ${text}`],
  ),
  ...[...refused].map(([text, requests]) => `missing (refused ${requests} times): ${text}`),
];
for (const problem of problems) console.log(problem);
console.log(`${rights.length} rights, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;

/**
 * The log may be large. So this reads it line by line and keeps only what is compared. A watch is logged at its beginning and at its end.
 */
async function eventsOf(path: string): Promise<AuditEvent[]> {
  const events = new Map<string, AuditEvent>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (!line.trim()) continue;
    const { auditID = '', verb = '', user, objectRef, responseStatus, annotations } = JSON.parse(line) as AuditEvent;
    events.set(auditID, {
      verb,
      user: { username: user?.username ?? '' },
      ...(objectRef ? { objectRef } : {}),
      ...(responseStatus ? { responseStatus } : {}),
      ...(annotations ? { annotations } : {}),
    });
  }
  return [...events.values()];
}
