import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { About } from '../contract/about.ts';
import { aboutParts } from './about-parts.ts';
import type { AppDeps } from './deps.ts';
import { inTime } from './health.ts';

type Deps = Pick<AppDeps, 'checks' | 'config' | 'version' | 'agents' | 'models' | 'scans' | 'advice' | 'notifications' | 'now'>;

/** The version, and the state of each part of the installation. A part that does not answer is reported as such, and is no error. */
export function aboutRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { checks, config, version, agents, models, scans, advice, notifications, now } = deps;
  const model = async () => {
    const { configured, provider, model: name, problem, held_back: heldBack } = await models.status();
    return { configured, provider, model: name, problem, heldBack };
  };
  return async (app) => {
    app.get(
      '/api/about',
      {
        config: { access: 'config.read' },
        schema: {
          summary: 'The version, the health of each part, and how to mend what is missing',
          tags: ['config'],
          response: { 200: About },
        },
      },
      async () => {
        const [hasDatabase, hasCluster] = await Promise.all([answers(checks.database), answers(checks.cluster)]);
        const at = now();
        const parts = aboutParts({
          hasDatabase,
          hasCluster,
          mirrorsEnabled: config.mirrorsEnabled,
          agents: await known(() => agents.list(at)),
          model: await known(model),
          hasScanner: await known(() => scans.isConnected(at)),
          unreadable: await known(() => advice.unreadable(config.clusterName)),
          providers: await known(async () => notifications.count()),
        });
        return { version, cluster: config.clusterName, parts };
      },
    );
  };
}

async function answers(check: () => Promise<void>): Promise<boolean> {
  return inTime(check).then(
    () => true,
    () => false,
  );
}

/** The answer of `ask`; undefined when it fails or takes too long. */
async function known<T>(ask: () => Promise<T>): Promise<T | undefined> {
  let found: T | undefined;
  await inTime(async () => {
    found = await ask();
  }).catch(() => undefined);
  return found;
}
