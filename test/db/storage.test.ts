import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openStorage } from '../../src/db/storage.ts';
import { createLog } from '../../src/log.ts';
import { fillFolder } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (ms: number): Date => new Date(T0.getTime() + ms);
const folder = mkdtempSync(join(tmpdir(), 'podmend-storage-'));
test.after(() => rmSync(folder, { recursive: true }));

test('the repositories know the lease, the cluster and how long an agent may be silent', async () => {
  const dataDir = join(folder, 'inner', 'data');
  await fillFolder(dataDir);
  const log = createLog({ level: 'silent' });
  const storage = await openStorage({ dataDir, log, leaseName: 'the-lease', clusterName: 'the-cluster', agentSilentMs: 5_000 });
  try {
    assert.equal([storage.channel, storage.pool()], [undefined, undefined], 'there is only this process');
    await storage.leadership.claim({ epoch: 1, holder: 'me' });
    assert.equal(
      (await storage.db.selectFrom('leadership').select('name').execute()).map(({ name }) => name),
      ['the-lease'],
    );
    const alert = { fingerprint: 'f', starts_at: T0, status: 'firing' as const, name: 'Down', severity: null, summary: '' };
    const about = { labels: {}, annotations: {}, namespace: null, pod: null, owner: null, node: null, source_url: null, ended_at: null };
    assert.is((await storage.alerts.store({ ...alert, ...about }, T0)).cluster, 'the-cluster');
    await storage.agents.heartbeat('node-1', { version: '1', pods: 1, failing: [], spooled: 0, dropped: 0 }, T0);
    assert.equal([await storage.agents.live(after(4_999)), await storage.agents.live(after(5_000))], [['node-1'], []]);
  } finally {
    await storage.close();
  }
});

test.run();
