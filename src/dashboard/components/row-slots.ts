/** Numbers for the elements of rows, by the key of the row. */
export interface RowSlots {
  of: ReadonlyMap<string | number | bigint, number>;
  /** How often elements were used again. */
  generation: number;
}

/**
 * Gives each shown row an element. A row keeps its element while it is shown. If none of the previous rows is shown any more, as after a
 * jump, their elements are reused for the new rows, which takes a third of the time. `mayReuse` tells whether this is allowed now.
 */
export function rowSlots(mayReuse: () => boolean): (keys: readonly (string | number | bigint)[]) => RowSlots {
  let slots: RowSlots = { of: new Map(), generation: 0 };
  let next = 0;
  return (keys) => {
    const before = slots.of;
    if (keys.length === before.size && keys.every((key) => before.has(key))) return slots;
    const isReused = before.size > 0 && !keys.some((key) => before.has(key)) && mayReuse();
    const free = isReused ? [...before.values()].sort((one, other) => one - other) : [];
    slots = {
      of: new Map(keys.map((key) => [key, before.get(key) ?? free.shift() ?? next++])),
      generation: slots.generation + (isReused ? 1 : 0),
    };
    return slots;
  };
}
