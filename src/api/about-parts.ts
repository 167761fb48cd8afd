import type { Part } from '../contract/about.ts';
import type { AgentRecord } from '../contract/agent.ts';
import type { ModelConfigRecord } from '../contract/model.ts';

/** Facts about an installation. A fact is `undefined` while the cluster or the database does not answer. */
export interface Installation {
  hasDatabase: boolean;
  hasCluster: boolean;
  mirrorsEnabled: boolean;
  agents: Pick<AgentRecord, 'node' | 'live' | 'dropped' | 'spooled'>[] | undefined;
  model: (Pick<ModelConfigRecord, 'configured' | 'provider' | 'model' | 'problem'> & { heldBack: string | null }) | undefined;
  hasScanner: boolean | undefined;
  /** The kinds that advice may not read in at least one namespace. */
  unreadable: string[] | undefined;
  /** The number of notification providers. */
  providers: number | undefined;
}

/** A sentence lists this many names, and gives only the number of the others. */
const NAMED = 3;

/** The state of each part, what it lacks, and how to mend that. */
export function aboutParts(it: Installation): Part[] {
  return [database(it), cluster(it), agents(it), mirrors(it), model(it), advice(it), scanner(it), notifications(it)];
}

const part = (id: string, name: string) => ({
  ok: (says: string): Part => ({ id, name, state: 'ok', says, mend: null }),
  off: (says: string, mend: string): Part => ({ id, name, state: 'off', says, mend }),
  degraded: (says: string, mend: string): Part => ({ id, name, state: 'degraded', says, mend }),
  down: (says: string, mend: string): Part => ({ id, name, state: 'down', says, mend }),
  unknown: (): Part => ({ id, name, state: 'degraded', says: 'This cannot be known now.', mend: 'Mend the parts above first.' }),
});

function database({ hasDatabase }: Installation): Part {
  const one = part('database', 'Database');
  if (hasDatabase) return one.ok('It answers.');
  return one.down('It does not answer.', 'Check that PostgreSQL runs and that `DATABASE_URL` is right. Podmend goes on when it answers.');
}

function cluster({ hasCluster }: Installation): Part {
  const one = part('cluster', 'Kubernetes API');
  if (hasCluster) return one.ok('It answers.');
  return one.down(
    'It does not answer. Lists still work; mirrors and Suppressions wait.',
    'Try `kubectl -n podmend auth can-i list pods --as system:serviceaccount:podmend:podmend-operator`, and read the log of the operator.',
  );
}

function agents({ agents: all }: Installation): Part {
  const one = part('agents', 'Agents');
  if (!all) return one.unknown();
  const look = 'Look at `kubectl -n podmend get pods -l app.kubernetes.io/component=agent -o wide`.';
  if (all.length === 0)
    return one.down('No agent was heard yet, so the pods of nodes are not watched.', `Install the DaemonSet podmend-agent. ${look}`);
  const silent = all.filter(({ live }) => !live).map(({ node }) => node);
  if (silent.length > 0)
    return one.degraded(`${silent.length} of ${all.length} are silent: ${named(silent)}. The operator watches these nodes itself.`, look);
  const losing = all.filter(({ dropped }) => dropped > 0).map(({ node }) => node);
  if (losing.length > 0)
    return one.degraded(
      `Reports were lost, because a spool was full: ${named(losing)}.`,
      'Check that the agents reach the operator, and whether the operator has enough CPU.',
    );
  return one.ok(all.length === 1 ? 'The agent of one node reports.' : `The agents of ${all.length} nodes report.`);
}

function mirrors({ mirrorsEnabled }: Installation): Part {
  const one = part('mirrors', 'Mirrors');
  if (mirrorsEnabled) return one.ok('They are allowed.');
  return one.off('They are switched off. Corrections are proposed, and none can be tried.', 'Set `MIRRORS_ENABLED=true`.');
}

function model({ model: it }: Installation): Part {
  const one = part('model', 'Language model');
  if (!it) return one.unknown();
  if (it.problem) return one.down(it.problem, 'An administrator corrects it under Admin, Model.');
  if (!it.configured)
    return one.off('None is set up. The rules explain every failure.', 'An administrator can add one under Admin, Model.');
  const which = `${it.model} of ${it.provider}`;
  if (it.heldBack)
    return one.degraded(
      `${which} is not asked now: ${it.heldBack}. The rules answer meanwhile.`,
      'Test it under Admin, Model. The limits are under Admin, Settings.',
    );
  return one.ok(`${which} is asked.`);
}

function advice({ unreadable }: Installation): Part {
  const one = part('advice', 'Advice');
  if (!unreadable) return one.unknown();
  if (unreadable.length === 0) return one.ok('The detectors read all that they need.');
  return one.degraded(
    `Some detectors are off, because these may not be read somewhere: ${unreadable.join(', ')}.`,
    'Give the ServiceAccount podmend-operator `list` on them: `deploy/base/rbac.yaml` has the rules.',
  );
}

function scanner({ hasScanner }: Installation): Part {
  const one = part('scanner', 'Security scanner');
  if (hasScanner === undefined) return one.unknown();
  if (hasScanner) return one.ok('It was heard within the last 90 seconds.');
  return one.off('None was heard lately, so no security findings are kept up to date.', 'Start the Deployment podmend-scanner.');
}

function notifications({ providers }: Installation): Part {
  const one = part('notifications', 'Notifications');
  if (providers === undefined) return one.unknown();
  if (providers === 0)
    return one.off(
      'Nobody is told about failures outside this dashboard.',
      'Make a provider under Notifications, or apply a NotificationProvider: `crds/README.md` has examples.',
    );
  return one.ok(providers === 1 ? 'One provider is set up.' : `${providers} providers are set up.`);
}

function named(names: string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
