/**
 * Why a request is refused: the caller's mistake (API: 400), a rule that forbids it (403), no object of that name (404),
 * or a conflict with another change (409). The message is for people.
 */
export class Refusal extends Error {
  readonly kind: 'invalid' | 'denied' | 'missing' | 'conflict';
  constructor(kind: Refusal['kind'], message: string) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
  }
}

/** The object is managed by a tool that would restore it. */
export function managedElsewhere(manager: string): Refusal {
  return new Refusal('conflict', `Managed by ${manager}: change it at its source`);
}
