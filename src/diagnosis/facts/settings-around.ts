import type { KubeObject } from '../../crd/kubernetes.ts';
import type { SettingAround } from '../case.ts';

/** Longer values are data rather than settings. */
const MAX_VALUE = 8_000;
/** How much of all ConfigMaps of a namespace is looked at, in characters. */
const MAX_ALL = 200_000;
/** Certificates that Kubernetes and its add-ons put into every namespace. */
const OF_SYSTEM = /^(?:kube-root-ca\.crt|openshift-service-ca\.crt|istio-ca-root-cert)$/;

/** The values of these ConfigMaps that may be settings, in their order, as far as they fit. Malformed fields are ignored. */
export function settingsOf(configMaps: readonly KubeObject[]): SettingAround[] {
  let left = MAX_ALL;
  return configMaps.flatMap((map) => {
    const { name = '' } = map.metadata;
    const data = (map as { data?: unknown }).data;
    const entries = typeof data === 'object' && data !== null && !OF_SYSTEM.test(name) ? Object.entries(data) : [];
    return entries.flatMap(([key, value]): SettingAround[] => {
      if (typeof value !== 'string' || value.length > MAX_VALUE || value.length > left) return [];
      left -= value.length;
      return [{ object: name, key, value }];
    });
  });
}
