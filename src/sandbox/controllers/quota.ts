import { podUsage } from '../admission/admission.ts';
import type { Api } from '../api/api.ts';
import { unitsText } from '../store/quantity.ts';
import { controllerLoop } from './loop.ts';
import { isFinished } from './pods.ts';

/** Writes the usage of a namespace's pods into its ResourceQuotas. */
export function startQuotas(api: Api): () => void {
  const { registry, store } = api;
  const quotas = registry.builtin('resourcequotas');
  const pods = registry.builtin('pods');
  const loop = controllerLoop(
    api,
    ({ storage, object, type }) => {
      if (storage === quotas.storage) return type === 'DELETED' ? [] : [`${object.metadata.namespace}/${object.metadata.name}`];
      if (storage !== pods.storage || (type === 'MODIFIED' && !isFinished(object))) return [];
      return store.list(quotas.storage, object.metadata.namespace).map((quota) => `${quota.metadata.namespace}/${quota.metadata.name}`);
    },
    (key) => {
      const quota = store.get(quotas.storage, key);
      if (!quota) return;
      const live = store.list(pods.storage, quota.metadata.namespace).filter((pod) => !isFinished(pod));
      const names = Object.keys(quota.spec?.hard ?? {});
      const used = Object.fromEntries(
        names.map((name) => [
          name,
          unitsText(
            name,
            live.reduce((sum, pod) => sum + (podUsage(pod)[name] ?? 0), 0),
          ),
        ]),
      );
      api.change(quotas, quota, 'status', (copy) => (copy.status = { hard: quota.spec?.hard ?? {}, used }));
    },
  );
  return () => loop.stop();
}
