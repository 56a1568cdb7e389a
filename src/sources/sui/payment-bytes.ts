import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { chunksOf } from '../../shared/chunks.ts';
import type { ObjectVersion } from './coins.ts';

/** Whom a transaction pays, out of what. Amounts are base units; addresses are canonical. */
export interface PaymentTerms {
  /** Who pays, and pays the gas. */
  readonly sender: string;
  /** The first stays and has what is left; the others are used up. */
  readonly gasCoins: readonly ObjectVersion[];
  readonly gasPriceMist: bigint;
  readonly budgetMist: bigint;
  /** Of another coin than SUI, used in the same way. Empty: SUI is paid out of the gas coins. */
  readonly coins: readonly ObjectVersion[];
  readonly payments: readonly { readonly address: string; readonly raw: bigint }[];
  /** The last epoch in which it can be executed. */
  readonly expiresEpoch: bigint;
}

/** A split takes so many amounts: a command has fewer than 512 arguments (`max_arguments`, protocol configuration). */
const amountsPerSplit = 511;

/** The bytes to be signed, and the digest by which the chain will know them. The same terms are always the same bytes. */
export async function buildPayment({
  sender,
  gasCoins,
  gasPriceMist,
  budgetMist,
  coins,
  payments,
  expiresEpoch,
}: PaymentTerms) {
  const tx = new Transaction();
  tx.setSender(sender);
  tx.setGasOwner(sender);
  tx.setGasPrice(gasPriceMist);
  tx.setGasBudget(budgetMist);
  tx.setGasPayment(gasCoins.map(refOf));
  tx.setExpiration({ Epoch: String(expiresEpoch) });
  const [first, ...others] = coins.map((coin) => tx.objectRef(refOf(coin)));
  if (first !== undefined && others.length > 0) tx.mergeCoins(first, others);
  for (const part of chunksOf(payments, amountsPerSplit)) {
    const amounts = part.map(({ raw }) => tx.pure.u64(raw));
    const split = tx.splitCoins(first ?? tx.gas, amounts);
    for (const [index, { address }] of part.entries()) {
      const coin = split[index];
      if (coin !== undefined) tx.transferObjects([coin], address);
    }
  }
  const bytes = await tx.build();
  return { bytes, digest: TransactionDataBuilder.getDigestFromBytes(bytes) };
}

const refOf = ({ objectId, version, digest }: ObjectVersion) => ({ objectId, version: String(version), digest });
