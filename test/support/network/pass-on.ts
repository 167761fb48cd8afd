import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';

/** Passes a request on and its answer back, as they come. `ask` makes the request onward. When one end goes, the other is ended too. */
export function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ask: (answered: (answer: IncomingMessage) => void) => ClientRequest,
): void {
  const onward = ask((answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
