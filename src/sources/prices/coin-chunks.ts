/** A coin and the word by which a source knows it. */
export interface AskedCoin {
  readonly coinType: string;
  readonly key: string;
}

/**
 * Characters of one address. Services refuse longer ones, and strangers may send coins whose types are as long as they
 * like: those must not cost the coins that are asked for with them their price.
 */
const urlLengthMax = 6_000;

/** As few chunks as hold all coins, in their order. `urlAround`: the address without any key; keys are joined by commas. */
export function chunksOfCoins(asked: readonly AskedCoin[], coinsMax: number, urlAround: string): AskedCoin[][] {
  const chunks: AskedCoin[][] = [];
  let room = 0;
  for (const each of asked) {
    const length = encodeURIComponent(each.key).length + 1;
    const current = chunks.at(-1);
    if (current !== undefined && current.length < coinsMax && length <= room) {
      current.push(each);
      room -= length;
    } else {
      chunks.push([each]);
      room = urlLengthMax - urlAround.length - length;
    }
  }
  return chunks;
}

export function joinedKeys(chunk: readonly AskedCoin[]): string {
  return chunk.map(({ key }) => encodeURIComponent(key)).join(',');
}
