import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase } from '../../support/builders/cases.ts';

const scheduling = suite('a pod that cannot be scheduled');

const told = (failure_message: string): string => diagnose(aCase({ failure_reason: 'Unschedulable', failure_message })).summary;

scheduling('each reason says for how many nodes it holds', () => {
  assert.match(
    told('0/3 nodes are available: 1 Insufficient cpu, 2 Insufficient memory.'),
    /\(1 of 3 nodes\).*\(2 of 3 nodes\)|\(2 of 3 nodes\).*\(1 of 3 nodes\)/,
  );
});

scheduling('a reason that is about the pod itself counts no nodes, and one node is not counted', () => {
  assert.not.match(told('0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.'), /nodes\)/);
  assert.not.match(told('0/1 nodes are available: 1 Insufficient cpu.'), /nodes\)/);
});

scheduling.run();
