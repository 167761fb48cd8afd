import type { FailureStatus } from '../../contract/failure.ts';

/** The name of each status for people. */
export const STATUS_NAMES: Record<FailureStatus, string> = {
  new: 'New',
  investigating: 'Investigating',
  resolved: 'Resolved',
  ignored: 'Ignored',
};

/** A coloured dot. Its meaning is its accessible name, unless the name is shown beside it. */
export function StatusDot({ status, isNamed = false }: { status: FailureStatus; isNamed?: boolean }) {
  if (isNamed) return <span className="dot" data-status={status} aria-hidden="true" />;
  return <span className="dot" data-status={status} role="img" aria-label={STATUS_NAMES[status]} title={STATUS_NAMES[status]} />;
}
