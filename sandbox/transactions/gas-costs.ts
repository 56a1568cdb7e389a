import type { GasUsed } from '../world/execution.ts';
import { suiCoinType } from '../world/sui-names.ts';
import type { TransactionData } from './transaction-data.ts';
import { argumentsOf } from './transaction-data.ts';

/** Computation is charged in steps (`get_bucket_cost` of the gas model): one unit more costs the whole next step. */
const computationSteps = [1_000n, 5_000n, 10_000n, 20_000n, 50_000n, 200_000n, 1_000_000n, 5_000_000n];
const unitsPerCommand = 10n;
const unitsPerArgument = 2n;

/** What the commands cost, in MIST. The units are the sandbox's own, close to what mainnet charges. */
export function computationMist({ commands, gas }: TransactionData): bigint {
  const units = commands.reduce(
    (sum, command) => sum + unitsPerCommand + unitsPerArgument * BigInt(argumentsOf(command).length),
    0n,
  );
  const step = computationSteps.find((each) => units <= each) ?? 5_000_000n;
  return step * gas.priceMist;
}

/** 100 units per byte, at 76 MIST per unit. */
const mistPerByte = 7_600n;
const suiCoinBytes = 130;
/** The extra bytes of other coins: their type is stored in full, that of SUI is not. */
const typeBytes = 38;
const nftStorageMist = 2_500_000n;

/** The storage cost of a coin object (null: of an NFT), held for as long as it exists. */
export function storageMist(coinType: string | null): bigint {
  if (coinType === null) return nftStorageMist;
  if (coinType === suiCoinType) return BigInt(suiCoinBytes) * mistPerByte;
  const [, module = '', name = ''] = coinType.split('::');
  return BigInt(suiCoinBytes + typeBytes + module.length + name.length) * mistPerByte;
}

/** The chain keeps one hundredth of the earlier objects' storage cost. */
export function gasUsedOf(computation: bigint, storage: { written: bigint; before: bigint }): GasUsed {
  const rebate = (storage.before * 99n) / 100n;
  return { computation, storage: storage.written, rebate, notRefunded: storage.before - rebate };
}
