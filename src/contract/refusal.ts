/**
 * What is not done, and whose doing that is: the caller's mistake (API: 400), a rule that forbids it (403), nothing there to do it to (404),
 * or somebody else in the way (409). The message is for people.
 */
export class Refusal extends Error {
  readonly kind: 'invalid' | 'denied' | 'missing' | 'conflict';
  constructor(kind: Refusal['kind'], message: string) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
  }
}

/** The object is kept by a tool that would put it back. */
export function managedElsewhere(manager: string): Refusal {
  return new Refusal('conflict', `Managed by ${manager}: change it at its source`);
}
