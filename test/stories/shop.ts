/**
 * What the diagnosis of the shop in `src/modes/shop.yaml` must say: the reason, what the solution must name, and whether the rules' own
 * correction works on a mirror.
 */
export interface Expected {
  workload: string;
  reason: string;
  culprit: RegExp;
  cured: boolean;
}

export const SHOP: Expected[] = [
  { workload: 'checkout', reason: 'ImagePullBackOff', culprit: /web:11/, cured: true },
  { workload: 'cart', reason: 'CreateContainerConfigError', culprit: /max_items/, cured: true },
  { workload: 'recommendations', reason: 'OOMKilled', culprit: /16Mi/, cured: true },
  { workload: 'payments', reason: 'Unhealthy', culprit: /8080/, cured: true },
  { workload: 'inventory', reason: 'Unschedulable', culprit: /kubernetes\.io\/os/, cured: true },
  { workload: 'mailer', reason: 'StartError', culprit: /\/app\/start/, cured: true },
  { workload: 'ledger', reason: 'CrashLoopBackOff', culprit: /DATABASE_URL/, cured: true },
  { workload: 'catalog', reason: 'Unhealthy', culprit: /\/tmp\/ready/, cured: true },
  { workload: 'tax', reason: 'CrashLoopBackOff', culprit: /license expired on 2026-01-31/, cured: false },
  { workload: 'accounts', reason: 'CrashLoopBackOff', culprit: /relation "users" does not exist/, cured: false },
  { workload: 'storefront-preview', reason: 'FailedCreate', culprit: /quota/, cured: false },
];
