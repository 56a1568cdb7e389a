/**
 * Answers by key, made once for all who ask at the same time and kept for `keepMsOf` from when they came. A failure reaches those
 * who waited for it; the next one asks again. Beyond `keptMax` the oldest makes room.
 */
export function createKeptAnswers<T>(clock: { now(): Date }, keepMsOf: (answer: T) => number, keptMax = Infinity) {
  interface Entry {
    readonly answer: Promise<T>;
    /** null: it has not come yet. */
    kept: { readonly fromMs: number; readonly untilMs: number } | null;
  }
  const entries = new Map<string, Entry>();

  const dropOld = (): void => {
    const nowMs = clock.now().getTime();
    for (const [key, { kept }] of entries) {
      // From the future: the clock was set back, so the age is unknown.
      if (kept !== null && (kept.untilMs <= nowMs || kept.fromMs > nowMs)) entries.delete(key);
    }
  };
  const noteEnd = async (key: string, entry: Entry): Promise<void> => {
    try {
      const answer = await entry.answer;
      const fromMs = clock.now().getTime();
      entry.kept = { fromMs, untilMs: fromMs + keepMsOf(answer) };
    } catch {
      entries.delete(key);
    }
  };

  return (key: string, ask: () => Promise<T>): Promise<T> => {
    dropOld();
    const known = entries.get(key);
    if (known !== undefined) return known.answer;
    const entry: Entry = { answer: ask(), kept: null };
    const [oldest = ''] = entries.keys();
    if (entries.size >= keptMax) entries.delete(oldest);
    entries.set(key, entry);
    void noteEnd(key, entry);
    return entry.answer;
  };
}
