/** `break` and `continue` on their way to the loop. */
export class LoopEnd extends Error {
  readonly isBreak: boolean;
  constructor(isBreak: boolean) {
    super('loop');
    this.isBreak = isBreak;
  }
}

/** `return` on its way to the function's caller. */
export class Return extends Error {
  readonly status: number;
  constructor(status: number) {
    super('return');
    this.status = status;
  }
}
