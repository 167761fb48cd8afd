import type { NodeStatus } from '../../contract/graph.ts';
import { Check, Cross, Missing, Pending, Question } from '../components/icons.tsx';

const SIGNS: Record<NodeStatus, typeof Check> = {
  healthy: Check,
  progressing: Pending,
  failing: Cross,
  unknown: Question,
  missing: Missing,
};

/** A different sign for each status. The word is beside it, or in the surrounding element's name. */
export function StatusSign({ status, size = 14 }: { status: NodeStatus; size?: number }) {
  const Sign = SIGNS[status];
  return <Sign size={size} />;
}
