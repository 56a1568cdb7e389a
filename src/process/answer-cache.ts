/**
 * A cache of answers by key. Each is made once for simultaneous callers and kept for `keepMsOf` after it arrives. A failure reaches
 * the callers who waited for it and is not kept. Beyond `keptMax` the oldest is dropped.
 */
export function createAnswerCache<T>(clock: { now(): Date }, keepMsOf: (answer: T) => number, keptMax = Infinity) {
  interface Entry {
    readonly answer: Promise<T>;
    /** null: the answer has not arrived yet. */
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
