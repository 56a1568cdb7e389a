type Look = (guildId: string, userId: string, cause: string) => Promise<void>;

/**
 * The same look, one at a time for each member and cause: whoever asks again meanwhile waits for the one that is under way. Each
 * reads every kiosk of every wallet, and no member's asking may use up what all others need of the chain.
 */
export function createAskedLooks(look: Look): Look {
  const underWay = new Map<string, Promise<void>>();
  return (guildId, userId, cause) => {
    const key = `${guildId} ${userId} ${cause}`;
    const begun = underWay.get(key) ?? look(guildId, userId, cause).finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}
