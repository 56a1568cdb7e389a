const toldAgainAfterMs = 10_000;
/** Beyond it the oldest are forgotten. */
const rememberedMax = 5_000;

/** What a group reads a few lines further up is not told again. Only what really went out counts as told. */
export interface JustTold {
  /** Runs `tell` unless that chat was told this a moment ago; false: it said something else, such as that nothing is known yet. */
  unlessTold(chatId: number, fact: string, tell: () => Promise<boolean>): Promise<void>;
}

export function createJustTold(nowMs: () => number): JustTold {
  const told = new Map<string, number>();
  return {
    unlessTold: async (chatId, fact, tell) => {
      const key = `${chatId} ${fact}`;
      const toldAtMs = told.get(key);
      if (toldAtMs !== undefined && Math.abs(nowMs() - toldAtMs) < toldAgainAfterMs) return;
      if (!(await tell())) return;
      told.delete(key);
      told.set(key, nowMs());
      const [oldest = key] = told.keys();
      if (told.size > rememberedMax) told.delete(oldest);
    },
  };
}
