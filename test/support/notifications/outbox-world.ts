import type { NotificationProvider, NotificationProviderSpec } from '../../../src/crd/notificationprovider.ts';
import type { Store } from '../../../src/db/connect.ts';
import { failureRepository } from '../../../src/db/failures.ts';
import { reportRepository } from '../../../src/db/failure-reports.ts';
import { type NotificationRepository, notificationRepository } from '../../../src/db/notifications.ts';
import { createLog } from '../../../src/log.ts';
import { deliverer, type DelivererDeps } from '../../../src/notifications/deliver.ts';
import { planner } from '../../../src/notifications/planner.ts';
import { sender } from '../../../src/notifications/send.ts';
import { judgeTarget } from '../../../src/notifications/target.ts';
import { aReportRow } from '../builders/report.ts';
import { until } from '../runner/wait.ts';
import { type FakeService, fakeService } from './fake-service.ts';
import type { HttpType } from './schemas.ts';
import { targetOf } from './targets.ts';

type Writes = Pick<NotificationRepository, 'apply' | 'begin' | 'finish'>;

/** The part of an operator that sends notifications. A test may kill it. */
export interface Crew {
  /** Plans the messages, then sends until nothing is due. A crew that was killed or has lost leadership does nothing. */
  turn(): Promise<void>;
  /**
   * Simulates a kill. From the nth request on, nothing of this crew reaches the database or the services. With `sent`, the nth request
   * still arrives. What other lanes are sending at that moment is stored first, so that each run is the same. `npm run soak` tests a kill
   * between sending and storing.
   */
  killAt(request: number, how: 'sent' | 'unsent'): void;
  isDead(): boolean;
}

export interface OutboxWorld {
  rows: NotificationRepository;
  now(): Date;
  pass(ms: number): void;
  /** Creates a provider with its own fake service. */
  provide(name: string, type: HttpType, more?: Partial<NotificationProviderSpec>): Promise<FakeService>;
  /** Stores reports of failing pods. Returns the ids of their records. */
  report(...reports: Parameters<typeof aReportRow>[0][]): Promise<number[]>;
  /** Lets these records recover. */
  recover(ids: number[]): Promise<void>;
  crew(over?: Partial<Pick<DelivererDeps, 'isCurrent' | 'hiddenNamespaces'>> & { write?: Writes }): Crew;
  /** The events of a provider with their states, oldest first. */
  events(provider: string): Promise<string[]>;
  close(): Promise<void>;
}

const RANGES = ['127.0.0.0/8'];

/** The planner, the outbox and fake services on a database. Only `pass` moves the clock. */
export function outboxWorld({ db }: Pick<Store, 'db'>, start = Date.parse('2026-05-01T10:00:00Z')): OutboxWorld {
  let clock = start;
  const now = () => new Date(clock);
  const rows = notificationRepository(db, 'test');
  const reports = reportRepository(db);
  const failures = failureRepository(db);
  const services = new Map<string, FakeService>();
  const providers: NotificationProvider[] = [];
  const send = sender({ allowedRanges: RANGES, sendMail: async () => ({ ok: true, state: 'accepted' }), timeoutMs: 10_000 });
  const log = createLog({ level: 'silent' });
  const isDue = async (): Promise<boolean> => (await rows.due(now())).length > 0;

  return {
    rows,
    now,
    pass: (ms) => void (clock += ms),
    async provide(name, type, more = {}) {
      const service = await fakeService(type);
      services.set(name, service);
      const spec = { type, secretRef: { name }, ...(type === 'slack' && { channel: '#on-call' }), ...more };
      providers.push({ metadata: { name, namespace: 'podmend' }, spec });
      await rows.enlist(name, now());
      return service;
    },
    async report(...given) {
      const stored = await reports.store(given.map((over) => aReportRow({ now: now().toISOString(), ...over })));
      return stored.map((one) => one!.record.id);
    },
    async recover(ids) {
      await failures.close(ids, now());
    },
    crew({ isCurrent = () => true, write = rows, hiddenNamespaces = ['hidden'] } = {}) {
      let requests = 0;
      let kill: { at: number; how: 'sent' | 'unsent' } | undefined;
      let isDead = false;
      let isDying = false;
      /** Deliveries that have begun but not finished, and how many of them the kill stopped. */
      const begun = new Set<number>();
      let stopped = 0;
      const alive = async <T>(work: () => Promise<T>): Promise<T> => {
        if (isDead || isDying) throw new Error('killed');
        return work();
      };
      const own: Writes = {
        apply: (plan) => alive(() => write.apply(plan)),
        begin: (id) =>
          alive(async () => {
            const isOurs = await write.begin(id);
            if (isOurs) begun.add(id);
            return isOurs;
          }),
        async finish(result, at) {
          if (isDead) throw new Error('killed');
          await write.finish(result, at);
          begun.delete(result.id);
        },
      };
      const common = { read: rows, write: own, cluster: 'test', now, hiddenNamespaces };
      const plan = planner({
        ...common,
        providers: () => providers,
        baseUrl: 'https://podmend.example',
      });
      const deps: DelivererDeps = {
        ...common,
        provider: (name) => providers.find(({ metadata }) => metadata.name === name),
        readiness: async ({ metadata, spec }) => {
          const { address, secret } = targetOf(spec.type as HttpType, services.get(metadata.name ?? '')?.address ?? '');
          return judgeTarget(spec, { ...secret, address }, RANGES);
        },
        async send(...said) {
          if (isDead || isDying) {
            stopped += 1;
            throw new Error('killed');
          }
          requests += 1;
          if (!kill || requests < kill.at) return send(...said);
          isDying = true;
          stopped += 1;
          await until(() => begun.size === stopped, { what: 'what the other lanes sent to be noted', timeoutMs: 60_000 });
          isDead = true;
          if (kill.how === 'sent') await send(...said);
          throw new Error('killed');
        },
        isCurrent: () => !isDead && isCurrent(),
        pause: async () => undefined,
        log,
      };
      return {
        async turn() {
          if (isDead) return;
          while (await plan());
          const lanes = deliverer(deps);
          const isDone = async (): Promise<boolean> => {
            await lanes.deliver();
            return isDead || !isCurrent() || !(await isDue());
          };
          await until(isDone, { what: 'everything due is sent', timeoutMs: 120_000 });
          await lanes.stop();
        },
        killAt: (at, how) => void (kill = { at, how }),
        isDead: () => isDead,
      };
    },
    events: async (provider) => (await rows.history(provider, 1_000)).map(({ event, state }) => `${event} ${state}`).reverse(),
    async close() {
      for (const service of services.values()) await service.close();
    },
  };
}
