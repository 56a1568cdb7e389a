import { bcs } from '@mysten/sui/bcs';
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions';
import { fromBase64 } from '@mysten/sui/utils';
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

/** What bytes would do, as far as they are payments like those above. */
export interface ReadPayment {
  readonly sender: string;
  readonly gasPayer: string;
  readonly budgetMist: bigint;
  readonly gasPriceMist: bigint;
  /** null: none, or of another kind. */
  readonly expiresEpoch: bigint | null;
  /** Every object at its version, as `id@version`. */
  readonly objects: readonly string[];
  readonly payments: readonly { readonly address: string; readonly raw: bigint }[];
  /** Commands that no payment has: 'It calls …'. */
  readonly oddities: readonly string[];
}

type Data = ReturnType<typeof bcs.TransactionData.parse>['V1'];
type Programmable = NonNullable<Data['kind']['ProgrammableTransaction']>;
type Argument = Extract<Programmable['commands'][number], { $kind: 'SplitCoins' }>['SplitCoins']['coin'];

/** null: these are no bytes of a transaction. */
export function readPayment(base64: string): ReadPayment | null {
  const data = parse(base64);
  const program = data?.kind.ProgrammableTransaction;
  if (data === null || !program) return null;
  const { gasData, sender, expiration } = data;
  const owned = program.inputs.flatMap(({ Object: object }) => object?.ImmOrOwnedObject ?? []);
  return {
    sender,
    gasPayer: gasData.owner,
    budgetMist: BigInt(gasData.budget),
    gasPriceMist: BigInt(gasData.price),
    expiresEpoch: expiration.$kind === 'Epoch' ? BigInt(expiration.Epoch) : null,
    objects: [...gasData.payment, ...owned].map(({ objectId, version }) => `${objectId}@${version}`),
    ...paymentsIn(program),
  };
}

function parse(base64: string): Data | null {
  try {
    const bytes = fromBase64(base64);
    const parsed = bcs.TransactionData.parse(bytes);
    const again = bcs.TransactionData.serialize(parsed).toBytes();
    return Buffer.from(again).equals(bytes) ? parsed.V1 : null;
  } catch {
    return null;
  }
}

function paymentsIn({ inputs, commands }: Programmable): Pick<ReadPayment, 'payments' | 'oddities'> {
  const pureOf = (argument: Argument | undefined): Uint8Array | null => {
    const pure = argument?.$kind === 'Input' ? inputs[argument.Input]?.Pure : undefined;
    return pure ? fromBase64(pure.bytes) : null;
  };
  const amountOf = (argument: Argument): bigint | null => {
    if (argument.$kind !== 'NestedResult') return null;
    const [from, index] = argument.NestedResult;
    const bytes = pureOf(commands[from]?.SplitCoins?.amounts[index]);
    return bytes?.length === 8 ? BigInt(bcs.u64().parse(bytes)) : null;
  };
  const payments: { readonly address: string; readonly raw: bigint }[] = [];
  const oddities: string[] = [];
  const give = (object: Argument, address: string | null): void => {
    const raw = amountOf(object);
    if (address === null || raw === null) oddities.push('It gives away an object that is no part of a split coin.');
    else payments.push({ address, raw });
  };
  for (const command of commands) {
    if (command.$kind === 'TransferObjects') {
      const to = pureOf(command.TransferObjects.address);
      const address = to?.length === 32 ? bcs.Address.parse(to) : null;
      for (const each of command.TransferObjects.objects) give(each, address);
    } else if (command.$kind === 'MoveCall') {
      const { package: from, module, function: name } = command.MoveCall;
      oddities.push(`It calls ${from}::${module}::${name}.`);
    } else if (command.$kind !== 'SplitCoins' && command.$kind !== 'MergeCoins') {
      oddities.push(`It has the command ${command.$kind}.`);
    }
  }
  return { payments, oddities };
}
