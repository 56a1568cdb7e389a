const firstMs = 1_000;
/** No longer: when Telegram is back after an outage, nobody waits long for the next try. */
const longestMs = 30_000;
const firstForRightsMs = 60_000;
/** Then what waits is stale (rulings R4) and becomes part of a digest. */
const longestForRightsMs = 6 * 3_600_000;

/** Doubles with each attempt; a part is left to chance, so that chats which failed together do not come back together. */
export const backOffMs = (attempts: number): number =>
  jittered(Math.min(longestMs, firstMs * 2 ** Math.min(attempts, 20)));

/** The same for what only a person can change: the bot's rights in a group. */
export const rightsBackOffMs = (attempts: number): number =>
  jittered(Math.min(longestForRightsMs, firstForRightsMs * 2 ** Math.min(attempts, 20)));

const jittered = (ms: number): number => Math.round(ms * (0.75 + Math.random() / 4));
