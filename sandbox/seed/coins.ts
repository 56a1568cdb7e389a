/** Real coins of Sui mainnet with their true types and decimals; prices are plausible, not quoted. */
export type SeedCoin = {
  coinType: string;
  symbol: string;
  name: string;
  decimals: number;
  priceUsd: string;
  /** The treasury's holdings in the seed, in base units. */
  coinBalance: bigint;
  addressBalance: bigint;
};

export const knownCoins: readonly SeedCoin[] = [
  {
    coinType: '0x2::sui::SUI',
    symbol: 'SUI',
    name: 'Sui',
    decimals: 9,
    priceUsd: '1.8342',
    coinBalance: 11_204_518_203_117n,
    addressBalance: 1_150_000_000_000n,
  },
  {
    coinType: '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC',
    symbol: 'USDC',
    name: 'USDC',
    decimals: 6,
    priceUsd: '0.9998',
    coinBalance: 6_410_250_000n,
    addressBalance: 2_000_000_000n,
  },
  {
    coinType: '0x375f70cf2ae4c00bf37117d0c85a2c71545e6ee05c4a5c7d282cd66a4504b068::usdt::USDT',
    symbol: 'suiUSDT',
    name: 'Sui Bridged USDT',
    decimals: 6,
    priceUsd: '0.9995',
    coinBalance: 1_502_300_000n,
    addressBalance: 0n,
  },
  {
    coinType: '0x5d4b302506645c37ff133b98c4b50a5ae14841659738d6d733d59d0d217a93bf::coin::COIN',
    symbol: 'wUSDC',
    name: 'Wormhole USDC',
    decimals: 6,
    priceUsd: '0.9989',
    coinBalance: 320_118_442n,
    addressBalance: 0n,
  },
  {
    coinType: '0x06864a6f921804860930db6ddbe2e16acdf8504495ea7481637a1c8b9a8fe54b::cetus::CETUS',
    symbol: 'CETUS',
    name: 'Cetus Token',
    decimals: 9,
    priceUsd: '0.0614',
    coinBalance: 18_250_000_000_000n,
    addressBalance: 0n,
  },
  {
    coinType: '0xdeeb7a4662eec9f2f3def03fb937a663dddaa2e215b8078a284d026b7946c270::deep::DEEP',
    symbol: 'DEEP',
    name: 'DeepBook Token',
    decimals: 6,
    priceUsd: '0.0728',
    coinBalance: 14_900_500_000n,
    addressBalance: 100_000_000n,
  },
  {
    // Dust: at most 0.001 of a token, which the holdings list hides.
    coinType: '0x5145494a5f5100e645e4b0aa950fa6b68f614e8c59e17bc5ded3495123a79178::ns::NS',
    symbol: 'NS',
    name: 'SuiNS Token',
    decimals: 6,
    priceUsd: '0.0587',
    coinBalance: 400n,
    addressBalance: 0n,
  },
  {
    coinType: '0x356a26eb9e012a68958082340d4c4116e7f55615cf27affcff209cf0ae544f59::wal::WAL',
    symbol: 'WAL',
    name: 'WAL Token',
    decimals: 9,
    priceUsd: '0.1936',
    coinBalance: 2_480_750_000_000n,
    addressBalance: 0n,
  },
  {
    coinType: '0xa99b8952d4f7d947ea77fe0ecdcc9e5fc0bcab2841d6e2a5aa00c3044e5544b5::navx::NAVX',
    symbol: 'NAVX',
    name: 'NAVX Token',
    decimals: 9,
    priceUsd: '0.0281',
    coinBalance: 9_600_000_000_000n,
    addressBalance: 0n,
  },
  {
    coinType: '0xce7ff77a83ea0cb6fd39bd8748e2ec89a3f41e8efdc3f4eb123e0ca37b184db2::buck::BUCK',
    symbol: 'BUCK',
    name: 'Bucket USD',
    decimals: 9,
    priceUsd: '0.9984',
    coinBalance: 0n,
    addressBalance: 845_120_000_000n,
  },
];

/** The type of a seed coin by its symbol. */
export function coinTypeOfSymbol(symbol: string): string {
  const coin = knownCoins.find((each) => each.symbol === symbol);
  if (!coin) throw new Error(`The seed has no coin ${symbol}`);
  return coin.coinType;
}
