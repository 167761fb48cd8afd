import type { SocketData } from '../../contract/socket.ts';

/** The progress of the latest rescan, according to messages. */
export interface Rescan {
  status: SocketData['security_rescan_status']['status'];
  reason: string;
  at: Date;
  /** Findings that appeared or disappeared since it was requested. */
  changes: number;
}

/** The rescan after a message. A new one begins with a request, or with a start that this window did not request. */
export function rescanAfter(known: Rescan | null | undefined, { status, reason }: Pick<Rescan, 'status' | 'reason'>, at: Date): Rescan {
  const isGoingOn = known?.status === 'requested' || known?.status === 'started';
  return { status, reason, at, changes: isGoingOn && status !== 'requested' ? known.changes : 0 };
}
