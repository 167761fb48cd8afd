import { about, counted, type Detector, type DetectorResult, named } from './detector.ts';
import type { StaleConfig } from './observed.ts';
import { SERVERS, type Subject } from './view.ts';

/** Containers that still run with the values that a ConfigMap or Secret had before its change. */
export const configNotTakenUp: Detector = {
  id: 'config-not-taken-up',
  title: 'A changed configuration is not in use',
  category: 'reliability',
  severity: 'medium',
  requires: [...SERVERS, 'Pod', 'ConfigMap'],
  why: 'Environment variables and files mounted with `subPath` are set when a container starts, and do not change afterwards. The new configuration takes effect at the next restart, which may come at night. Until all replicas have restarted, they differ, and a mistake in the configuration shows long after somebody made it.',
  run: ({ servers, observed: { staleConfigs } }) =>
    servers.flatMap((server) => {
      const found = staleConfigs.filter(({ kind, name }) => kind === server.kind && name === server.name);
      return found.length > 0 ? [about(server, resultOf(server, found))] : [];
    }),
};

function resultOf({ kind, name }: Subject, found: StaleConfig[]): Pick<DetectorResult, 'summary' | 'evidence' | 'change'> {
  const sources = [...new Set(found.map(({ source, sourceName }) => `${source} ${sourceName}`))];
  const pods = new Set(found.flatMap((one) => one.pods)).size;
  return {
    summary: `${counted(pods, 'pod')} of ${kind} ${name} started before ${named(sources)} changed, and cannot see the change.`,
    evidence: {
      configurations: found.map(({ source, sourceName, container, keys, by, changedAt, pods: stale }) => ({
        [source === 'Secret' ? 'secret' : 'config_map']: sourceName,
        ...(keys.length > 0 && { keys }),
        container,
        by,
        changed_before: new Date(changedAt).toISOString(),
        pods: stale.length,
        pod: stale[0],
      })),
    },
    change: `Restart it at a convenient time: \`kubectl rollout restart ${kind.toLowerCase()} ${name}\`. To restart it automatically in future, let the name change with the content (kustomize's \`configMapGenerator\`), or put a checksum of the content into an annotation of the pod template, as Helm charts do.`,
  };
}
