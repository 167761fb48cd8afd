import type { SocketData } from '../../contract/socket.ts';

/** How the newest rescan goes, as far as messages told. */
export interface Rescan {
  status: SocketData['security_rescan_status']['status'];
  reason: string;
  at: Date;
  /** Findings that came or went since it was asked for. */
  changes: number;
}

/** The rescan after a message: a new one begins with a request, or with a start that nobody here asked for. */
export function rescanAfter(known: Rescan | null | undefined, { status, reason }: Pick<Rescan, 'status' | 'reason'>, at: Date): Rescan {
  const isGoingOn = known?.status === 'requested' || known?.status === 'started';
  return { status, reason, at, changes: isGoingOn && status !== 'requested' ? known.changes : 0 };
}
