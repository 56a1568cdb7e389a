/** A small seeded generator, so that the world is the same on every start. */
export type Random = {
  /** A number in [0, 1). */
  next: () => number;
  /** A whole number in [0, below). */
  below: (limit: number) => number;
  pick: <T>(items: readonly T[]) => T;
  /** A new array in a random order. */
  shuffle: <T>(items: readonly T[]) => T[];
};

/** Mulberry32: 32 bits of state are plenty for a sandbox. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('Nothing to pick from');
      return item;
    },
    shuffle: (items) => {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        const held = result[last];
        const moved = result[other];
        if (held === undefined || moved === undefined) continue;
        result[last] = moved;
        result[other] = held;
      }
      return result;
    },
  };
}
