import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import type { RuleInput } from '../../../src/diagnosis/facts/input.ts';
import { anInput, aPodManifest, type CaseParts } from './cases.ts';

/** A controller whose pods are refused: what its pods have, and what the controller has beside its template. */
export interface RefusedPods extends CaseParts {
  app?: object;
  pod?: object;
  labels?: Record<string, string>;
  controller?: object;
  /** The workload above the controller. */
  owner?: object;
}

/** The input of ReplicaSet `web` whose pods the API server refuses with this message. They have one container, `app`. */
export function refusedPods(message: string, { app, pod, labels, controller, owner, ...parts }: RefusedPods = {}): RuleInput {
  const template = aPodManifest(app, pod) as { metadata: { labels?: Record<string, string> } };
  if (labels) template.metadata.labels = labels;
  const input = anInput(
    {},
    {},
    {
      failure_reason: 'FailedCreate',
      resource_kind: 'ReplicaSet',
      container: null,
      container_statuses: [],
      events: [{ type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${message}` }],
      manifest: {
        kind: 'ReplicaSet',
        metadata: { name: 'web', namespace: 'shop' },
        ...controller,
        spec: { ...(controller as { spec?: object } | undefined)?.spec, template },
      },
      ...parts,
    },
  );
  return owner ? { ...input, subject: { ...input.subject, owner: owner as KubeObject } } : input;
}

/** The message of an API server that forbids a pod. */
export const forbidden = (why: string): string => `pods "web-x" is forbidden: ${why}`;
