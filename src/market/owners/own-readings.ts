import type { HoldingAnswer } from '../contract.ts';
import type { Clock } from '../ports.ts';
import type { ReadWallet, WalletQuestion } from './read-wallet.ts';

/** Wallets read one by one, a few at a time in the whole process, and what is remembered of those that hold nothing. */
export interface OwnReadings {
  read(question: WalletQuestion, stop?: AbortSignal): Promise<HoldingAnswer>;
  /** It was read on its own and held nothing, recently enough for a table to confirm it. */
  wasEmpty(question: WalletQuestion): boolean;
}

const walletsAtOnceMax = 8;
/** As long as a table is used. */
const sameAnswerMs = 60_000;
/** After that even a complete table is not enough to say 'no': the marketplace may have missed a piece. */
const emptyForMs = 6 * 3_600_000;
const rememberedMax = 100_000;

export function createOwnReadings(readWallet: ReadWallet, clock: Clock): OwnReadings {
  const empty = new Map<string, HoldingAnswer>();
  const waiting: (() => void)[] = [];
  let running = 0;

  const remember = (key: string, answer: HoldingAnswer): void => {
    empty.delete(key);
    if (answer.kind !== 'does-not-hold') return;
    empty.set(key, answer);
    // The oldest come first.
    for (const oldest of empty.keys()) {
      if (empty.size <= rememberedMax) break;
      empty.delete(oldest);
    }
  };
  const isYounger = (before: HoldingAnswer | undefined, thanMs: number): before is HoldingAnswer => {
    if (before === undefined) return false;
    const ageMs = clock.now().getTime() - before.asOf.getTime();
    // From the future: the clock was set back, so the age is unknown.
    return ageMs >= 0 && ageMs < thanMs;
  };

  const readInTurn = async (question: WalletQuestion, stop?: AbortSignal): Promise<HoldingAnswer> => {
    const key = keyOf(question);
    const before = empty.get(key);
    if (isYounger(before, sameAnswerMs)) return before;
    const answer = await readWallet(question, stop);
    if (answer.kind !== 'unknown') remember(key, answer);
    return answer;
  };

  return {
    read: async (question, stop) => {
      if (running >= walletsAtOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await readInTurn(question, stop);
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
    wasEmpty: (question) => isYounger(empty.get(keyOf(question)), emptyForMs),
  };
}

const keyOf = ({ nftType, wallet }: WalletQuestion): string => `${wallet} ${nftType}`;
