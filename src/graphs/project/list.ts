import type { KubeObject, Pod } from '../../crd/kubernetes.ts';
import { type Item, itemOf } from '../item.ts';
import { projectCronJob, projectDaemonSet, projectDeployment, projectJob, projectReplicaSet, projectStatefulSet } from './controllers.ts';
import { projectEndpointSlice, projectIngress, projectNetworkPolicy, projectService } from './network.ts';
import { projectAutoscaler, projectBudget, projectConfigMap, projectMirror } from './autoscalers-and-budgets.ts';
import { projectClaim, projectNode, projectVolume } from './nodes-and-volumes.ts';
import { type Moment, projectPod } from './pod.ts';

/** The part of an object that graphs keep; undefined for objects that no graph shows. */
export type Projection = (object: KubeObject, moment: Moment) => Item | undefined;

/**
 * The kinds of a namespace that graphs show, in the order in which they are read. Pods come first, because most other kinds refer to them.
 */
export const PROJECTIONS = {
  Pod: (object, moment) => projectPod(object as Pod, moment),
  Deployment: projectDeployment,
  ReplicaSet: projectReplicaSet,
  StatefulSet: projectStatefulSet,
  DaemonSet: projectDaemonSet,
  Job: projectJob,
  CronJob: projectCronJob,
  Service: projectService,
  EndpointSlice: projectEndpointSlice,
  Ingress: projectIngress,
  NetworkPolicy: projectNetworkPolicy,
  HorizontalPodAutoscaler: projectAutoscaler,
  PodDisruptionBudget: projectBudget,
  PersistentVolumeClaim: projectClaim,
  ConfigMap: projectConfigMap,
  ServiceAccount: (object) => itemOf('ServiceAccount', object),
  MirrorPod: projectMirror,
} satisfies Record<string, Projection>;

/** The cluster-scoped kinds. They are drawn if another object names them. */
export const CLUSTER_PROJECTIONS = {
  Node: projectNode,
  PersistentVolume: projectVolume,
  StorageClass: (object) => itemOf('StorageClass', object),
} satisfies Record<string, Projection>;
