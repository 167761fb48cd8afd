import type { NodeStatus } from '../../contract/graph.ts';
import { Check, Cross, Missing, Pending, Question } from '../components/icons.tsx';

const SIGNS: Record<NodeStatus, typeof Check> = {
  healthy: Check,
  progressing: Pending,
  failing: Cross,
  unknown: Question,
  missing: Missing,
};

/** A sign of its own for each status; the word stands beside it, or in the name of what it is in. */
export function StatusSign({ status, size = 14 }: { status: NodeStatus; size?: number }) {
  const Sign = SIGNS[status];
  return <Sign size={size} />;
}
