/** Thrown by `break` and `continue`, and caught by the loop. */
export class LoopEnd extends Error {
  readonly isBreak: boolean;
  constructor(isBreak: boolean) {
    super('loop');
    this.isBreak = isBreak;
  }
}

/** Thrown by `return`, and caught by the caller of the function. */
export class Return extends Error {
  readonly status: number;
  constructor(status: number) {
    super('return');
    this.status = status;
  }
}
