import Type, { type Static } from 'typebox';

/** Answer of `GET /api/pods/{namespace}/{pod_name}/logs`. */
export const PodLog = Type.Object({
  pod_name: Type.String(),
  namespace: Type.String(),
  container: Type.String({ description: 'whose lines these are' }),
  containers: Type.Array(Type.String(), { description: 'all of the pod, in start order' }),
  logs: Type.String({ description: 'secrets masked; empty while the container has not started' }),
});
export type PodLog = Static<typeof PodLog>;

/** The stored end of the log of an ended mirror. Secrets are masked. */
export interface KeptLog {
  /** The one to show first. */
  container: string;
  /** All containers of the pod, in start order. null: there was no such run, or its log could not be read. */
  containers: { name: string; current: string | null; previous: string | null }[];
}
