/**
 * Why a request is refused: a mistake of the caller (API: 400), a rule that forbids it (403), a missing object (404), or a conflict with
 * another change (409). The message is for people.
 */
export class Refusal extends Error {
  readonly kind: 'invalid' | 'denied' | 'missing' | 'conflict';
  constructor(kind: Refusal['kind'], message: string) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
  }
}

/** The object is managed by a tool that would undo the change. */
export function managedElsewhere(manager: string): Refusal {
  return new Refusal('conflict', `Managed by ${manager}: change it at its source`);
}
