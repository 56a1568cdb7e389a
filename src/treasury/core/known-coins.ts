import { suiCoinType } from '../../shared/sui-address.ts';

/**
 * The list behind the impersonator rule (rulings R3): which types may carry a well-known symbol on Sui mainnet, and which coins are
 * stable. Types are canonical (address padded to 64 hex digits). Plain data, so that adding a coin touches no rule.
 */
const otherCoins = {
  SUI: [suiCoinType],
  USDY: ['0x960b531667636f39e85867775f52f6b1f220a058c4de786905bdf761e06a56bb::usdy::USDY'],
  DEEP: ['0xdeeb7a4662eec9f2f3def03fb937a663dddaa2e215b8078a284d026b7946c270::deep::DEEP'],
  WAL: ['0x356a26eb9e012a68958082340d4c4116e7f55615cf27affcff209cf0ae544f59::wal::WAL'],
  CETUS: ['0x06864a6f921804860930db6ddbe2e16acdf8504495ea7481637a1c8b9a8fe54b::cetus::CETUS'],
  NAVX: ['0xa99b8952d4f7d947ea77fe0ecdcc9e5fc0bcab2841d6e2a5aa00c3044e5544b5::navx::NAVX'],
  NS: ['0x5145494a5f5100e645e4b0aa950fa6b68f614e8c59e17bc5ded3495123a79178::ns::NS'],
  BLUE: ['0xe1b45a0e641b9955a20aa0ad1c1f4ad86aad8afb07296d4085e349a50e90bdca::blue::BLUE'],
  SCA: ['0x7016aae72cfc67f2fadf55769c0a7dd54291a583b63051a5ed71081cce836ac6::sca::SCA'],
  haSUI: ['0xbde4ba4c2e274a60ce15c1cfff9e5c42e41654ac8b6d906a57efa4bd3c29f47d::hasui::HASUI'],
  afSUI: ['0xf325ce1300e8dac124071d3152c5c5ee6174914f8bc2161e88329cf579246efc::afsui::AFSUI'],
  vSUI: ['0x549e8b69270defbfafd4f94e17ec44cdbdd99820b33bda2278dea3b9a32d3f55::cert::CERT'],
  stSUI: ['0xd1b72982e40348d069bb1ff701e634c117bb5f741f44dff91e472d3b01461e55::stsui::STSUI'],
  ETH: [
    '0xd0e89b2af5e4910726fbcd8b8dd37bb79b29e5f83f7491bca830e94f7f226d29::eth::ETH',
    '0xaf8cd5edc19c4512f4259f0bee101a40d41ebed738ade5874359610ef8eeced5::coin::COIN',
  ],
  WETH: ['0xaf8cd5edc19c4512f4259f0bee101a40d41ebed738ade5874359610ef8eeced5::coin::COIN'],
  WBTC: ['0x027792d9fed7f9844eb4839566001bb6f6cb4804f66aa2da6fe1ee242d896881::coin::COIN'],
};

/** Held as a reserve in dollars (decision 0009). */
const stableCoins = {
  USDC: [
    '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC',
    '0x5d4b302506645c37ff133b98c4b50a5ae14841659738d6d733d59d0d217a93bf::coin::COIN',
  ],
  USDT: [
    '0x375f70cf2ae4c00bf37117d0c85a2c71545e6ee05c4a5c7d282cd66a4504b068::usdt::USDT',
    '0xc060006111016b8a020ad5b33834984a437aaa7d3c74c18e09a95d48aceab08c::coin::COIN',
  ],
  wUSDC: ['0x5d4b302506645c37ff133b98c4b50a5ae14841659738d6d733d59d0d217a93bf::coin::COIN'],
  suiUSDT: ['0x375f70cf2ae4c00bf37117d0c85a2c71545e6ee05c4a5c7d282cd66a4504b068::usdt::USDT'],
  AUSD: ['0x2053d08c1e2bd02791056171aab0fd12bd7cd7efad2ab8f6b9c8902f14df2ff2::ausd::AUSD'],
  FDUSD: ['0xf16e6b723f242ec745dfd7634ad072c42d5c1d9ac9d62a39c381303eaa57693a::fdusd::FDUSD'],
  BUCK: ['0xce7ff77a83ea0cb6fd39bd8748e2ec89a3f41e8efdc3f4eb123e0ca37b184db2::buck::BUCK'],
};

export const stableCoinTypes: readonly string[] = Object.values(stableCoins).flat();

/** Types by symbol. */
export const knownCoins: Readonly<Record<string, readonly string[]>> = { ...otherCoins, ...stableCoins };
export const knownCoinTypes: ReadonlySet<string> = new Set(Object.values(knownCoins).flat());

/** A symbol as a reader sees it: in capitals, without spaces and signs. */
const skeletonOf = (symbol: string): string => symbol.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** As it may be read: a small L, a one and a bar as themselves or as a capital I, as in `SUl` for `SUI`. */
const skeletonsOf = (symbol: string): readonly string[] => [
  skeletonOf(symbol),
  skeletonOf(symbol.replaceAll(/[l1|]/g, 'I')),
];

const knownSkeletons = new Set(Object.keys(knownCoins).map(skeletonOf));
/** The characters that Sui allows in a symbol (`is_ascii_printable!` in coin_registry.move); any other is there only to imitate one. */
const printableAscii = /^[ -~]*$/;

/** Rulings R3: a known coin's symbol under another type. */
export const isImpersonator = (coinType: string, symbol: string): boolean =>
  !knownCoinTypes.has(coinType) &&
  (!printableAscii.test(symbol) || skeletonsOf(symbol).some((skeleton) => knownSkeletons.has(skeleton)));
