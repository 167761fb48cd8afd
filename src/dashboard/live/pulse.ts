export interface PulseDeps {
  /** Asks the server for a sign of life. Rejects without a timely answer. */
  ask(): Promise<unknown>;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  /** The server has answered. */
  answered(): void;
  /** Called after each request without an answer. */
  missed(): void;
}

/** An open socket does not notice that the server is gone. These intervals detect it in less than 5 s. */
export const PULSE = { everyMs: 2_000, answerMs: 2_500 } as const;

/** Repeatedly checks that the server is there. `now` checks at once; `pause` stops until the next `now`. */
export function pulse(deps: PulseDeps): { now(): void; pause(): void } {
  let timer: unknown;
  /** Answers to requests of an earlier round do not count. */
  let round = 0;
  const ask = async (mine: number): Promise<void> => {
    const isThere = await deps.ask().then(
      () => true,
      () => false,
    );
    if (mine !== round) return;
    if (isThere) deps.answered();
    else deps.missed();
    timer = deps.setTimeout(() => void ask(mine), PULSE.everyMs);
  };
  const pause = (): void => {
    round += 1;
    deps.clearTimeout(timer);
  };
  return {
    now: () => {
      pause();
      void ask(round);
    },
    pause,
  };
}
