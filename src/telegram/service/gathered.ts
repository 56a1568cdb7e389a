/**
 * Many calls as few: what is asked for while one call is on its way goes out together in the next. Each gets what `run` answers
 * for all of them, or its failure.
 */
export function gathered<Item, Answer>(
  run: (items: readonly Item[]) => Promise<Answer>,
  itemsMax: number,
): (item: Item) => Promise<Answer> {
  interface Waiting {
    readonly item: Item;
    readonly outcome: PromiseWithResolvers<Answer>;
  }
  const waiting: Waiting[] = [];
  let isRunning = false;
  const work = async (): Promise<void> => {
    // Whoever asks in the same breath goes along.
    await Promise.resolve();
    for (;;) {
      const together = waiting.splice(0, itemsMax);
      if (together.length === 0) break;
      try {
        const answer = await run(together.map(({ item }) => item));
        for (const { outcome } of together) outcome.resolve(answer);
      } catch (error) {
        for (const { outcome } of together) outcome.reject(error);
      }
    }
    isRunning = false;
  };
  return (item) => {
    const outcome = Promise.withResolvers<Answer>();
    waiting.push({ item, outcome });
    if (!isRunning) {
      isRunning = true;
      void work();
    }
    return outcome.promise;
  };
}
