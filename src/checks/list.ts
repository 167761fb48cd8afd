import type { Check, CheckTexts, ObjectCheck, PodSecurityCheck } from './check.ts';
import { removedApi } from './objects/removed-api.ts';
import { externalAddresses, nodePort, openLoadBalancer } from './objects/services.ts';
import { POD_SECURITY_CHECKS } from './pod-security/index.ts';
import { adminBinding, anonymousBinding, defaultAccountBinding, everybodyBinding } from './roles/bindings.ts';
import { missingAccount, unboundRole } from './roles/dangling.ts';
import { ROLE_POWERS, roleEverything, roleWildcard } from './roles/powers.ts';
import { unusedRights } from './roles/unused.ts';
import { defaultAccount } from './workloads/default-account.ts';
import { defaultNamespace } from './workloads/default-namespace.ts';
import { hostAliases } from './workloads/host-aliases.ts';
import { imageDigest } from './workloads/image-digest.ts';
import { imageTag } from './workloads/image-tag.ts';
import { memoryLimit } from './workloads/memory-limit.ts';
import { mountPropagation } from './workloads/mount-propagation.ts';
import { networkPolicy } from './workloads/network-policy.ts';
import { nodeFolder, runtimeSocket } from './workloads/node-folders.ts';
import { secretAsEnv, secretInArguments, secretInEnv } from './workloads/plain-secrets.ts';
import { livenessProbe, readinessProbe } from './workloads/probes.ts';
import { resourceRequests } from './workloads/resource-requests.ts';
import { sharedProcesses } from './workloads/shared-processes.ts';
import { tokenAutomount } from './workloads/token-automount.ts';
import { untrustedRegistry } from './workloads/untrusted-registry.ts';
import { writableRoot } from './workloads/writable-root.ts';

/** Checks of pods beyond the Pod Security Standards. */
export const WORKLOAD_CHECKS: readonly Check[] = [
  runtimeSocket,
  nodeFolder,
  mountPropagation,
  secretInEnv,
  secretInArguments,
  untrustedRegistry,
  imageTag,
  memoryLimit,
  networkPolicy,
  tokenAutomount,
  defaultAccount,
  writableRoot,
  sharedProcesses,
  resourceRequests,
  readinessProbe,
  livenessProbe,
  secretAsEnv,
  imageDigest,
  hostAliases,
  defaultNamespace,
];

/** Checks of other objects. */
export const OBJECT_CHECKS: readonly ObjectCheck[] = [
  externalAddresses,
  nodePort,
  openLoadBalancer,
  removedApi,
  roleEverything,
  ...ROLE_POWERS,
  roleWildcard,
  adminBinding,
  anonymousBinding,
  everybodyBinding,
  defaultAccountBinding,
  missingAccount,
  unboundRole,
  unusedRights,
];

/** Every check; those of the Pod Security Standards come first. */
export const CHECKS: readonly (PodSecurityCheck | Check | ObjectCheck)[] = [...POD_SECURITY_CHECKS, ...WORKLOAD_CHECKS, ...OBJECT_CHECKS];

/** The check with that id. */
export function checkById(id: string): CheckTexts | undefined {
  return CHECKS.find((check) => check.id === id);
}
