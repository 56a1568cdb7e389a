import { csvLine, type CsvValue } from '../../shared/csv.ts';
import { toDecimalText } from '../../shared/money.ts';
import type { Provenance, TreasurySnapshot } from '../contract.ts';
import { restOfUncounted } from './uncounted-list.ts';

const columns = [
  'kind',
  'name',
  'type_or_address',
  'raw_balance',
  'decimals',
  'amount',
  'unit_price',
  'price_currency',
  'price_source',
  'price_as_of',
  'value_usd',
  'value_sui',
  'counted',
  'state',
  'as_of',
  'explorer_url',
] as const;

type Row = Partial<Record<(typeof columns)[number], CsvValue>>;

interface Balance {
  readonly rawBalance: string;
  readonly decimals: number | null;
}

/** Exact to the last base unit, which the JSON number of the same name cannot always be. */
const exactAmount = ({ rawBalance, decimals }: Balance): string =>
  decimals === null ? '' : toDecimalText(BigInt(rawBalance), decimals);

const tokenRows = (snapshot: TreasurySnapshot): Row[] =>
  snapshot.tokenBreakdown.map((token) => ({
    kind: 'token',
    name: token.symbol,
    type_or_address: token.coinType,
    raw_balance: token.rawBalance,
    decimals: token.decimals,
    amount: exactAmount(token),
    unit_price: token.price,
    price_currency: 'USD',
    price_source: token.priceSource,
    price_as_of: token.priceAsOf,
    value_usd: token.usdValue,
    counted: 'yes',
    state: token.state,
    explorer_url: token.explorerUrl,
  }));

const nftRows = (snapshot: TreasurySnapshot): Row[] =>
  snapshot.nftBreakdown.map((nft) => ({
    kind: 'nft',
    name: nft.collectionName,
    type_or_address: nft.collectionId,
    raw_balance: String(nft.count),
    decimals: 0,
    amount: nft.count,
    unit_price: nft.averagePriceSui,
    price_currency: 'SUI',
    price_source: 'collection floor',
    price_as_of: nft.floorAsOf,
    value_usd: nft.totalValueUsd,
    value_sui: nft.totalValueSui,
    counted: nft.totalValueUsd === null ? 'no' : 'yes',
    state: nft.state,
    explorer_url: nft.explorerUrl,
  }));

/** Rulings R3: uncounted holdings are in the file too, with the reason and without a value. */
const uncountedRows = (snapshot: TreasurySnapshot): Row[] => [
  ...snapshot.uncountedTokens.map((token) => ({
    kind: 'token',
    name: token.symbol,
    type_or_address: token.coinType,
    raw_balance: token.rawBalance,
    decimals: token.decimals,
    amount: exactAmount(token),
    counted: `no: ${token.reason}`,
    explorer_url: token.explorerUrl,
  })),
  ...snapshot.uncountedNfts.map((nft) => ({
    kind: 'nft',
    name: nft.name,
    type_or_address: nft.collectionType,
    raw_balance: String(nft.count),
    decimals: 0,
    amount: nft.count,
    counted: `no: ${nft.reason}`,
    explorer_url: nft.explorerUrl,
  })),
  ...restOfUncounted(snapshot).map((rest) => ({
    kind: 'note',
    name: rest.text,
    amount: rest.count,
    counted: 'no',
    explorer_url: snapshot.explorerUrl,
  })),
];

/** Amounts declared by the team for what the chain cannot show (rulings R3); in no total. */
const declaredRows = (snapshot: TreasurySnapshot): Row[] =>
  snapshot.allocation.flatMap(({ name, declared }) => {
    if (declared === null) return [];
    const { usd, at, by } = declared;
    const source = `declared by the team (${by})`;
    const counted = 'no: declared by the team';
    return [{ kind: 'declared', name, price_source: source, value_usd: usd, counted, as_of: at }];
  });

/** Each total with the state, time and sources of its own figure. */
const totalRows = (snapshot: TreasurySnapshot): Row[] => {
  const { figures } = snapshot;
  const row = (name: string, figure: Provenance, values: Row): Row => ({
    kind: 'total',
    name,
    type_or_address: snapshot.treasuryAddress,
    price_source: figure.source,
    ...values,
    state: figure.state,
    as_of: figure.asOf,
    explorer_url: snapshot.explorerUrl,
  });
  const { nftTotalValueUsd, nftTotalValueSui } = snapshot;
  // One row for both currencies: without a SUI price it has the state, time and sources of the SUI figure.
  const atFloor = nftTotalValueUsd === null ? figures.nftTotalValueSui : figures.nftTotalValueUsd;
  return [
    row('tokens', figures.tokenTotalUsd, { value_usd: snapshot.tokenTotalUsd }),
    row('NFTs at floor', atFloor, { value_usd: nftTotalValueUsd, value_sui: nftTotalValueSui }),
    row('NFTs at best bid', figures.nftTotalAtBestBidSui, { value_sui: snapshot.nftTotalAtBestBidSui }),
    row('treasury', figures.totalUsdValue, { value_usd: snapshot.totalUsdValue }),
  ];
};

/**
 * Rulings R3: the snapshot as CSV (RFC 4180, UTF-8). The counted rows add up to the total rows to the last digit; every row
 * carries what is needed to check it elsewhere.
 */
export const snapshotCsv = (snapshot: TreasurySnapshot): string => {
  const parts = [tokenRows, nftRows, uncountedRows, declaredRows, totalRows];
  const rows = parts.flatMap((rowsOf) => rowsOf(snapshot));
  const lines = rows.map((row) => csvLine(columns.map((column) => ({ as_of: snapshot.asOf, ...row })[column])));
  return [csvLine(columns), ...lines, ''].join('\r\n');
};

/** The same body as GET /api/treasury/balance, indented for people. */
export const snapshotJson = (snapshot: TreasurySnapshot): string => `${JSON.stringify({ data: snapshot }, null, 2)}\n`;

/** `treasury-2026-11-20T20-33-00Z.csv`: the time of the snapshot, without characters that file systems refuse. */
export const exportFileName = (snapshot: TreasurySnapshot, extension: 'csv' | 'json'): string =>
  `treasury-${snapshot.asOf.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-')}.${extension}`;
