export interface PulseDeps {
  /** Asks whether the server is there. Rejects when it does not answer in time. */
  ask(): Promise<unknown>;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  /** The server has answered. */
  answered(): void;
  /** The server did not answer. Called after each question without an answer. */
  missed(): void;
}

/** An open socket says nothing when the other end is gone. With the time that an answer may take it is known after less than 5 s. */
export const PULSE = { everyMs: 2_000, answerMs: 2_500 } as const;

/** Asks again and again whether the server is there. `now` does not wait; `pause` stops until the next `now`. */
export function pulse(deps: PulseDeps): { now(): void; pause(): void } {
  let timer: unknown;
  /** Answers to questions of an earlier round do not count. */
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
