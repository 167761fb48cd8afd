/** Numbers that look random but are the same for the same seed (mulberry32). */
export interface Random {
  /** At least 0 and below 1. */
  next(): number;
  /** At least 0 and below `below`. */
  integer(below: number): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return { next, integer, chance: (probability) => next() < probability, pick: (list) => list[integer(list.length)] as never };
}
