import { configMissing } from './config-missing.ts';
import { crash } from './crash.ts';
import { create } from './create-container.ts';
import { deadline } from './deadline.ts';
import { evicted } from './evicted.ts';
import { failedCreate } from './failed-create.ts';
import { hook } from './hook.ts';
import { imageName } from './image-name.ts';
import { imageNeverPull } from './image-never-pull.ts';
import { imagePull } from './image-pull.ts';
import { initWaiting } from './init-waiting.ts';
import { jobFailed } from './job-failed.ts';
import { mount } from './mount.ts';
import { nodeLost, preempted, rejected } from './node-decision.ts';
import { outOfMemory } from './out-of-memory.ts';
import { orderedPeers } from './ordered-peers.ts';
import { podField } from './pod-field.ts';
import { probe } from './probe.ts';
import type { DiagnosisRule } from './rule.ts';
import { runAsRoot } from './run-as-root.ts';
import { sandbox } from './sandbox.ts';
import { start } from './start-container.ts';
import { leftRunning } from './left-running.ts';
import { readinessGate } from './readiness-gate.ts';
import { tinyMemory } from './memory-unit.ts';
import { unschedulable } from './unschedulable.ts';
import { missingNode } from './missing-node.ts';

/** All rules in the order in which they are asked: first the decisions of nodes, then the life of a pod from creation to end. */
export const RULES: readonly DiagnosisRule[] = [
  failedCreate,
  jobFailed,
  tinyMemory,
  evicted,
  rejected,
  preempted,
  deadline,
  nodeLost,
  imageName,
  imageNeverPull,
  imagePull,
  configMissing,
  runAsRoot,
  podField,
  create,
  start,
  outOfMemory,
  hook,
  orderedPeers,
  probe,
  initWaiting,
  leftRunning,
  readinessGate,
  missingNode,
  mount,
  sandbox,
  crash,
  unschedulable,
];
