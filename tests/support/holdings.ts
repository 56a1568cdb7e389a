import type { Ownership } from '../../src/discord/ports.ts';
import type { HoldingAnswer } from '../../src/market/contract.ts';
import type { Watching } from '../../src/discord/servers/guild-config-store.ts';
import { someAddress } from './activity-events.ts';

export const rockType = `${someAddress(0x77)}::rocks::Nft`;
export const otherType = `${someAddress(0x88)}::pebbles::Nft`;

/** A marketplace that knows no collection. */
export const untracked: Pick<Watching, 'lookUp' | 'track' | 'watch'> = {
  lookUp: async () => ({ kind: 'unknown', existsOnChain: true, isName: false }),
  track: () => Promise.reject(new Error('Nothing is tracked')),
  watch: async () => {},
};

/** Holdings that a test sets: the number of pieces by type and wallet; 'unknown' cannot be read. */
export interface Holdings {
  set(wallet: string, pieces: number | 'unknown', nftType?: string): void;
  /** Nothing can be read. */
  isOut: boolean;
  /** The wallets read singly so far. */
  readonly singleReads: string[];
  /** The number of wallets in each table read. */
  readonly tableReads: number[];
  /** Awaited before each answer. */
  gate: Promise<void>;
  readonly ownership: Ownership;
}

export function createHoldings(): Holdings {
  const pieces = new Map<string, number | 'unknown'>();
  const answerOf = (nftType: string, wallet: string): HoldingAnswer => {
    const count = holdings.isOut ? 'unknown' : (pieces.get(`${nftType} ${wallet}`) ?? 0);
    const asOf = new Date();
    if (count === 'unknown') return { kind: 'unknown', reason: 'node-unavailable', asOf };
    if (count === 0) return { kind: 'does-not-hold', kioskCount: 1, asOf };
    const held = Array.from({ length: count }, (_none, index) => ({
      objectId: someAddress(index + 1),
      place: index === 0 ? ('wallet' as const) : ('kiosk' as const),
      kioskId: index === 0 ? null : someAddress(0x900 + index),
      isListed: index === 1,
    }));
    return { kind: 'holds', nfts: held, asOf };
  };
  const holdings: Holdings = {
    set: (wallet, count, nftType = rockType) => void pieces.set(`${nftType} ${wallet}`, count),
    isOut: false,
    singleReads: [],
    tableReads: [],
    gate: Promise.resolve(),
    ownership: {
      readWallet: async (nftType, wallet) => {
        const answer = answerOf(nftType, wallet);
        holdings.singleReads.push(wallet);
        await holdings.gate;
        return answer;
      },
      readWallets: async (nftType, wallets) => {
        holdings.tableReads.push(wallets.length);
        await holdings.gate;
        return new Map(wallets.map((wallet) => [wallet, answerOf(nftType, wallet)]));
      },
      readNftType: async (text) =>
        text === rockType || text === otherType ? { kind: 'nft', nftType: text, name: 'Rocks' } : { kind: 'missing' },
    },
  };
  return holdings;
}
