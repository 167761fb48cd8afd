import type { AdmissionDeps } from './admission.ts';
import type { Stored } from '../store/object.ts';

/** The lowest free address `10.96.x.y` for a Service of type ClusterIP; headless and external ones get none. */
export function admitService({ store, registry }: AdmissionDeps, service: Stored): void {
  const { spec } = service;
  if (spec.type === 'ExternalName') return;
  if (!spec.clusterIP) {
    const taken = new Set(store.list(registry.builtin('services').storage).map((s) => s.spec.clusterIP));
    let host = 10;
    const address = () => `10.96.${host >> 8}.${host & 255}`;
    while (taken.has(address())) host += 1;
    spec.clusterIP = address();
  }
  spec.clusterIPs = [spec.clusterIP];
  spec.ipFamilies ??= ['IPv4'];
  spec.ipFamilyPolicy ??= 'SingleStack';
}
