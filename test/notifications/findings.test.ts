import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ResourceFindings } from '../../src/contract/finding.ts';
import type { NotificationFilter, NotificationProvider, ProviderType } from '../../src/crd/notificationprovider.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { notificationRepository } from '../../src/db/notifications.ts';
import { findingSuppressionRepository } from '../../src/db/suppressible.ts';
import { findingIntake } from '../../src/findings/intake.ts';
import { planner } from '../../src/notifications/planner.ts';
import { engines } from '../support/database/store.ts';

const T0 = Date.parse('2026-05-01T10:00:00Z');
const MINUTE = 60_000;
type Found = ResourceFindings['findings'][number];
const found = (check_name: string, severity: Found['severity'] = 'high', details: Found['details'] = {}): Found => ({
  ...{ check_name, severity, details },
  message: `the check ${check_name} fails`,
  remediation: 'Set the field.',
});

for (const engine of engines('findings that are told')) {
  const store = await engine.open();
  const { db } = store;
  const rows = notificationRepository(db, 'test');
  const findings = findingRepository(db);
  const test = suite(`findings that are told, on ${engine.name}`);
  let clock = T0;
  let hides: string | undefined;
  const now = () => new Date(clock);
  const providers: NotificationProvider[] = [];
  const intake = findingIntake({
    ...{ findings, cluster: 'test', hub: { publish: () => undefined }, findingSuppressions: findingSuppressionRepository(db) },
    suppressionOf: ({ check }) => (check === hides ? 'known' : undefined),
  });
  const provide = async (name: string, filter?: NotificationFilter, type: ProviderType = 'webhook') => {
    providers.push({ metadata: { name, namespace: 'podmend' }, spec: { type, secretRef: { name }, ...(filter && { filter }) } });
    await rows.enlist(name, now());
  };
  const plan = planner({
    ...{ read: rows, write: rows, cluster: 'test', now, providers: () => providers },
    baseUrl: 'https://podmend.example',
    hiddenNamespaces: ['hidden'],
  });
  const at = (name: string, namespace = 'shop') => ({ resource_type: 'Deployment', namespace, resource_name: name });
  const find = (name: string, some: Found[], namespace?: string) =>
    intake.replace(at(name, namespace), { source: 'podmend', findings: some }, now());
  /** Event and title of each message to a provider since the last call. */
  const told = async (name = 'chat'): Promise<string[]> => {
    while (await plan());
    const messages = (await rows.history(name, 100)).map(({ event, message }) => `${event} ${(message as { title: string }).title}`);
    const fresh = messages.slice(0, messages.length - (seen.get(name) ?? 0)).reverse();
    seen.set(name, messages.length);
    return fresh;
  };
  const seen = new Map<string, number>();
  const scanned = async () => {
    await intake.clear('podmend', now());
    await find('old', [found('privileged'), found('host-network')]);
    await intake.settle(now());
    clock += MINUTE;
  };

  test.before.each(async () => {
    clock = T0;
    hides = undefined;
    providers.length = 0;
    seen.clear();
    for (const table of [
      ...(['notification_threads', 'notification_changes', 'notification_providers', 'findings', 'finding_scanners'] as const),
    ])
      await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  test('a first scan sends nothing, whatever it finds; later findings are sent, and their end', async () => {
    await provide('chat');
    await intake.clear('podmend', now());
    for (let n = 0; n < 200; n++) await find(`app-${n}`, [found('privileged', 'critical')]);
    assert.equal(await told(), []);
    clock += 5 * MINUTE;
    await find('late-in-the-pass', [found('privileged', 'critical')]);
    await intake.settle(now());
    assert.equal(await told(), []);
    clock += MINUTE;
    await find('app-7', [found('privileged', 'critical'), found('host-network')]);
    assert.equal(await told(), ['finding Security: host-network (high): Deployment/app-7 in shop']);
    const [message] = await rows.history('chat', 1);
    assert.match(JSON.stringify(message), '"link":"https://podmend.example/security?q=app-7"');
    await find('app-7', [found('privileged', 'critical'), found('host-network')]);
    assert.equal(await told(), [], 'found again');
    clock += MINUTE;
    await find('app-7', [found('privileged', 'critical')]);
    assert.equal(await told(), ['resolved Resolved: host-network: Deployment/app-7 in shop']);
  });

  test('if a scanner does not report its passes, its first hour sends nothing', async () => {
    await provide('chat');
    await find('web', [found('privileged')]);
    clock += 59 * MINUTE;
    await find('api', [found('privileged')]);
    assert.equal(await told(), []);
    clock += 2 * MINUTE;
    await find('db', [found('privileged')]);
    assert.equal(await told(), ['finding Security: privileged (high): Deployment/db in shop']);
  });

  test('a provider hears only of findings that are newer than itself', async () => {
    await scanned();
    await provide('chat');
    await find('web', [found('privileged')]);
    assert.equal(await told(), ['finding Security: privileged (high): Deployment/web in shop']);
    await provide('later');
    clock += MINUTE;
    await find('web', [found('privileged'), found('host-pid')]);
    assert.equal(await told(), ['finding Security: 2 findings (high): Deployment/web in shop']);
    assert.equal(await told('later'), ['finding Security: host-pid (high): Deployment/web in shop']);
    clock += MINUTE;
    await find('web', []);
    assert.equal(await told(), ['resolved Resolved: 2 findings: Deployment/web in shop']);
    assert.equal(await told('later'), ['resolved Resolved: host-pid: Deployment/web in shop']);
  });

  test('a scan that starts again sends nothing, however long it takes', async () => {
    await provide('chat');
    await scanned();
    await find('web', [found('privileged')]);
    await told();
    await intake.clear('podmend', now());
    assert.equal(await told(), []);
    clock += 30 * MINUTE;
    await findings.resolveStale(new Date(clock - 10 * MINUTE), now(), 1_000);
    assert.equal(await told(), ['resolved Resolved: privileged: Deployment/web in shop']);
    await find('old', [found('privileged'), found('host-network')]);
    await find('web', [found('privileged')]);
    await intake.settle(now());
    assert.equal(await told(), []);
    clock += MINUTE;
    await find('web', []);
    clock += 20 * MINUTE;
    await find('web', [found('privileged')]);
    assert.equal(await told(), ['finding Security: privileged (high): Deployment/web in shop'], 'back after it was corrected');
  });

  test('all findings on a resource are one message; very many are a summary', async () => {
    await provide('chat');
    await scanned();
    await find('web', [found('privileged', 'critical'), found('host-network'), found('no-limits', 'medium')]);
    assert.equal(await told(), ['finding Security: 2 findings (critical): Deployment/web in shop']);
    clock += 10 * MINUTE;
    for (let n = 0; n < 300; n++) await find(`app-${n}`, [found('privileged')]);
    const said = await told();
    assert.is(said.length, 6);
    assert.match(said.at(-1) ?? '', /^finding Security: 295 findings \(high\): many at once$/);
    clock += 10 * MINUTE;
    for (let n = 0; n < 300; n++) await find(`app-${n}`, []);
    assert.equal(
      (await told()).map((one) => one.split(' ')[0]),
      Array.from({ length: 6 }, () => 'resolved'),
    );
  });

  test('a finding that gets worse is sent; one that is dismissed, or hidden by a Suppression or a namespace, never is', async () => {
    await provide('chat');
    await scanned();
    await find('web', [found('no-limits', 'low')]);
    hides = 'known-check';
    await find('hushed', [found('known-check', 'critical')]);
    await find('secret', [found('privileged', 'critical')], 'hidden');
    const itself = { resource_type: 'Namespace', namespace: 'cluster-wide', resource_name: 'hidden' };
    await intake.replace(itself, { source: 'podmend', findings: [found('privileged', 'critical')] }, now());
    assert.equal(await told(), []);
    await find('web', [found('no-limits', 'critical')]);
    assert.equal(await told(), ['finding Security: no-limits (critical): Deployment/web in shop']);
    hides = undefined;
    await find('hushed', [found('known-check', 'critical')]);
    assert.equal(await told(), [], 'a Suppression that ends is no news');
    clock += MINUTE;
    const ids = await db.selectFrom('findings').select('id').where('resource_name', '=', 'web').execute();
    for (const { id } of ids) await findings.dismiss(id);
    assert.equal(await told(), [], 'nobody is told that somebody dismissed it');
  });

  test('filters: severity, namespaces, labels, events; reasons are about failures', async () => {
    await provide('all', { minSeverity: 'info' });
    await provide('critical', { minSeverity: 'critical' });
    await provide('shop', { namespaces: ['sh*'] });
    await provide('labelled', { labelSelector: { matchLabels: { team: 'a' } } });
    await provide('failures', { events: ['incident_opened', 'resolved'] });
    await provide('reasons', { reasons: ['*'] });
    await provide('teams', {}, 'teams');
    await scanned();
    await find('web', [found('privileged', 'high', { labels: { team: 'a' } })], 'pay');
    await find('api', [found('no-limits', 'low')]);
    const said: Record<string, number> = {};
    for (const {
      metadata: { name = '' },
    } of providers)
      said[name] = (await told(name)).length;
    assert.equal(said, { all: 2, critical: 0, shop: 0, labelled: 1, failures: 0, reasons: 0, teams: 1 });
    clock += MINUTE;
    await find('web', [found('privileged'), found('host-pid')], 'pay');
    assert.equal((await told('teams')).length, 1, 'another finding is another message where none can be changed');
  });

  test.run();
}
