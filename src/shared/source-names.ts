/** Sources as they write themselves; in figures, exports and the database they keep their short names. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ['defillama', 'DefiLlama'],
  ['geckoterminal', 'GeckoTerminal'],
  ['tradeport', 'TradePort'],
]);

/** For a reader: 'Sui full node, defillama' is 'Sui full node, DefiLlama'. */
export const sourceInWords = (source: string): string =>
  source.replaceAll(/\b[a-z]+\b/g, (word) => ownNames.get(word) ?? word);
