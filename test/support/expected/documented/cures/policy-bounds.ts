import type { Confidence } from '../../../../../src/contract/mirror.ts';
import type { Container, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import { controller } from '../documented.ts';
import type { Changes, CureRow } from './cure.ts';
import { guess, likely } from './rows.ts';

const template = 'spec.template.spec';
const policy = (said: string): string =>
  `Error creating: pods "shop-x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${said}`;
const webhook = (said: string): string => `Error creating: admission webhook "validate.policy.example.com" denied the request: ${said}`;

/** A ReplicaSet whose pods a policy refuses with this message. */
const refused = (
  message: string,
  spec: Partial<PodSpec>,
  app: Partial<Container>,
  is: { best: Changes | null; confidence?: Confidence[] },
): CureRow => ({
  object: controller('ReplicaSet', 'shop', { ...spec, containers: [{ name: 'app', image: 'web:1', ...app }] }),
  events: [['FailedCreate', message]],
  is: { reason: 'FailedCreate', culprit: /policy|webhook/, ...is },
});
const at = (path: string, to: unknown): Changes => ({ [`${template}.${path}`]: to });

/** Policies whose message names a field of the pod and its bound. */
export const POLICY_BOUNDS: Record<string, CureRow> = {
  'a policy that wants pods to end within a minute': refused(
    policy('terminationGracePeriodSeconds must not exceed 60, so that nodes can be drained in time'),
    { terminationGracePeriodSeconds: 300 },
    {},
    { best: at('terminationGracePeriodSeconds', 60), ...likely },
  ),
  'a rule of Kyverno with the bound before its words': refused(
    webhook(
      "resource Pod/default/shop-x was blocked due to the following policies\n\nlimit-grace:\n  grace: 'validation error: Pods get 2 minutes at most to end. rule grace failed at path /spec/terminationGracePeriodSeconds/'\n",
    ),
    { terminationGracePeriodSeconds: 600 },
    {},
    { best: at('terminationGracePeriodSeconds', 120), ...likely },
  ),
  'an expression about the probes of all containers': refused(
    policy('failed expression: object.spec.containers.all(c, c.livenessProbe.periodSeconds >= 5)'),
    {},
    { livenessProbe: { tcpSocket: { port: 80 }, periodSeconds: 1 } },
    { best: at('containers[0].livenessProbe.periodSeconds', 5), ...likely },
  ),
  'a range of values': refused(
    policy('timeoutSeconds of a probe must be between 1 and 5'),
    {},
    { readinessProbe: { tcpSocket: { port: 80 }, timeoutSeconds: 10 } },
    { best: at('containers[0].readinessProbe.timeoutSeconds', 5), ...likely },
  ),
  'two fields with a bound each': refused(
    policy('terminationGracePeriodSeconds must be at most 60, and activeDeadlineSeconds must be less than 3600'),
    { terminationGracePeriodSeconds: 90, activeDeadlineSeconds: 7200 },
    {},
    { best: { ...at('terminationGracePeriodSeconds', 60), ...at('activeDeadlineSeconds', 3599) }, ...likely },
  ),
  'a taint that is endured for too long': refused(
    webhook('tolerationSeconds 86400 is greater than the maximum of 300'),
    { tolerations: [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 86400 }] },
    {},
    { best: at('tolerations[0].tolerationSeconds', 300), ...likely },
  ),
  'a largest memory limit': refused(
    policy('limits.memory must be at most 2Gi'),
    {},
    { resources: { requests: { memory: '3Gi' }, limits: { memory: '4Gi' } } },
    { best: { ...at('containers[0].resources.limits.memory', '2Gi'), ...at('containers[0].resources.requests.memory', '2Gi') }, ...guess },
  ),
  'the smallest user that may run': refused(
    policy('runAsUser must be at least 1000'),
    { securityContext: { runAsUser: 100 } },
    {},
    { best: at('securityContext.runAsUser', 1000), ...guess },
  ),
  'a rule about how images are pulled': refused(
    webhook('containers must use imagePullPolicy: Always'),
    {},
    { imagePullPolicy: 'IfNotPresent' },
    { best: at('containers[0].imagePullPolicy', 'Always'), ...likely },
  ),
  'the same rule for a container that says nothing': refused(
    policy('imagePullPolicy of every container must be set to "Always"'),
    {},
    {},
    { best: at('containers[0].imagePullPolicy', 'Always'), ...likely },
  ),
  // The message names a number, but that is not the fault of the pod.
  'a bound that the pod keeps': refused(
    policy('terminationGracePeriodSeconds must not exceed 60 on spot nodes'),
    { terminationGracePeriodSeconds: 30 },
    {},
    { best: null },
  ),
  'a number without a field of the pod': refused(
    policy('pods of this team must not run longer than 60 minutes'),
    { terminationGracePeriodSeconds: 90 },
    {},
    { best: null },
  ),
  'the number of copies, which no pod has': refused(
    policy('replicas must be at least 2'),
    { terminationGracePeriodSeconds: 90 },
    {},
    { best: null },
  ),
  'a field that the message only mentions': refused(
    policy('set at least 1 preStop hook, terminationGracePeriodSeconds alone is not enough'),
    { terminationGracePeriodSeconds: 30 },
    {},
    { best: null },
  ),
  'a number that belongs to the name of the policy': refused(
    policy('CIS-5.2.13: terminationGracePeriodSeconds is not what your team agreed on (see ticket 60)'),
    { terminationGracePeriodSeconds: 90 },
    {},
    { best: null },
  ),
};
