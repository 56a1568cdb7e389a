import { decimalOf } from '../world/base-units.ts';
import type { BalanceChange, WorldState } from '../world/state.ts';
import { suiCoinType } from '../world/sui-names.ts';
import type { TransactionDescription } from './describe-transaction.ts';

/** The name for an address; null: unknown. */
export type NameOf = (address: string) => string | null;

/** A transaction in plain words: sentences on what it does, and one line per payment. */
export type TransactionWords = { sentences: string[]; payments: string[] };

export function wordsOf(state: WorldState, told: TransactionDescription, nameOf: NameOf): TransactionWords {
  const who = (address: string): string => {
    const name = nameOf(address);
    return name === null ? address : `${name} (${address})`;
  };
  const nfts = told.givenNfts.map(
    ({ nftId, to }) => `Gives ${state.nfts.get(nftId)?.name ?? 'an object'} to ${who(to)}.`,
  );
  const sentences = [
    told.trouble,
    `From ${who(told.sender)}.`,
    ...paymentSentences(state, told.payments, who),
    ...nfts,
    told.payments.length + nfts.length === 0 ? 'Pays nobody.' : null,
    gasSentence(told, who),
    told.lastEpoch === null ? null : `Can be executed until epoch ${told.lastEpoch} ends.`,
  ];
  return {
    sentences: sentences.filter((sentence) => sentence !== null),
    payments: told.payments.map((payment) => `${who(payment.address)}: ${amountOf(state, payment)}`),
  };
}

type Who = (address: string) => string;

function paymentSentences(state: WorldState, payments: readonly BalanceChange[], who: Who): string[] {
  const groups = new Map<string, BalanceChange[]>();
  for (const payment of payments) {
    const key = `${payment.coinType}/${payment.amount}`;
    groups.set(key, [...(groups.get(key) ?? []), payment]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const each = amountOf(state, first);
    if (group.length === 1) return [`Pays ${each} to ${who(first.address)}.`];
    const all = amountOf(state, { ...first, amount: first.amount * BigInt(group.length) });
    return [`Pays ${each} each to ${group.length} addresses, ${all} in all.`];
  });
}

function gasSentence({ gasMist, budgetMist, gasOwner, sender }: TransactionDescription, who: Who): string {
  const sui = (mist: bigint): string => `${decimalOf(mist, 9)} SUI`;
  const payer = gasOwner === sender ? '' : `, paid by ${who(gasOwner)}`;
  if (gasMist === null) return `Gas: at most ${sui(budgetMist)}${payer}.`;
  // When many coins are merged, the storage rebate can exceed the cost of the transaction.
  const expected = gasMist < 0n ? `gives back about ${sui(-gasMist)}` : `about ${sui(gasMist)}`;
  return `Gas: ${expected}, at most ${sui(budgetMist)}${payer}.`;
}

/** A coin without metadata is shown in base units with its full type, because its decimals are unknown. */
function amountOf(state: WorldState, { coinType, amount }: Pick<BalanceChange, 'coinType' | 'amount'>): string {
  const metadata = state.coins.get(coinType)?.metadata;
  if (!metadata) return `${amount} base units of ${coinType}`;
  const isSui = metadata.symbol === 'SUI' && coinType !== suiCoinType;
  return `${decimalOf(amount, metadata.decimals)} ${metadata.symbol}${isSui ? ` (${coinType})` : ''}`;
}
