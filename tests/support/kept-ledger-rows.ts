import { ago, digest, network, oddText, type Row, treasuryAddress, wallet } from './kept-row-values.ts';
import { rocks } from './treasury-reading.ts';

const ofTreasury = { network, treasury_address: treasuryAddress };
const moved = { ...ofTreasury, digest: 'a digest', checkpoint: 77, position: 2 };

/** Rows of the treasury's ledger, of the team's words on it, and of payouts. */
export const ledgerRows: readonly (readonly [table: string, row: Row])[] = [
  [
    'ledger_entries',
    {
      ...moved,
      happened_at: ago(30),
      sender: wallet,
      kind: 'swap',
      counterparty: wallet,
      gas_mist: '-12',
      nft_count: 1,
      is_apart: false,
    },
  ],
  [
    'ledger_changes',
    {
      ...moved,
      coin_type: '0x2::sui::SUI',
      raw: `-1${'0'.repeat(40)}`,
      happened_at: ago(30),
      price_pico_usd: '3500000000000',
      price_at: ago(30),
      price_source: 'DefiLlama',
      is_priced: true,
    },
  ],
  ['ledger_nfts', { ...moved, object_id: '0xa', collection_type: rocks, direction: 'into-escrow' }],
  [
    'ledger_recipients',
    { ...moved, coin_type: '0x2::sui::SUI', address: '0xb', raw: `1${'0'.repeat(40)}`, happened_at: ago(30) },
  ],
  [
    'ledger_coins',
    { ...ofTreasury, coin_type: '0x2::sui::SUI', opening_raw: 3, in_raw: 5, out_raw: 7, is_known: true },
  ],
  [
    'ledger_day_prices',
    {
      ...ofTreasury,
      coin_type: '0x2::sui::SUI',
      day: 20_000,
      price_pico_usd: '3500000000000',
      price_at: ago(30),
      price_source: 'DefiLlama',
    },
  ],
  [
    'ledger_readings',
    {
      ...ofTreasury,
      chain_id: 'a chain',
      covered_checkpoint: 77,
      covered_at: ago(1),
      is_complete: true,
      known_since_checkpoint: 5,
      has_opening: true,
      kiosks: JSON.stringify([{ kioskId: '0xb', capId: '0xc' }]),
      unexplained_coins: 1,
      unexplained_text: '+12.5 SUI',
    },
  ],
  [
    'treasury_ledger_notes',
    { ...ofTreasury, digest: 'a digest', text: oddText, link: null, updated_at: ago(1), updated_by: 'ogg' },
  ],
  [
    'treasury_ledger_names',
    { ...ofTreasury, address: wallet, name: 'An exchange', role: 'exchange', updated_at: ago(1), updated_by: 'ogg' },
  ],
  [
    'treasury_declared_amounts',
    { ...ofTreasury, slice: 'operations', micro_usd: '12000500000', updated_at: ago(1), updated_by: 'ogg' },
  ],
  [
    'treasury_statements',
    {
      ...ofTreasury,
      month: '2026-10',
      body: `{"month":"${oddText}"}`,
      sha256: 'a hash',
      entry_count: 3,
      closing_micro_usd: `1${'0'.repeat(40)}`,
      unpriced_coins: 1,
    },
  ],
  [
    'payouts',
    {
      id: 17,
      ...ofTreasury,
      title: oddText,
      reason: 'Revenue',
      coin_type: '0x2::sui::SUI',
      amount_mode: 'total',
      amount_raw: `1${'0'.repeat(30)}`,
      left_out: JSON.stringify([{ address: wallet, reason: oddText }]),
      snapshot_asked_at: null,
      snapshot_problem: null,
      plan: `{"title":"${oddText}"}`,
      sha256: 'a hash',
      published_at: ago(2),
      published_by: 'ogg',
      withdrawn_at: ago(1),
      withdrawn_by: 'ogg',
      withdrawn_reason: oddText,
      updated_at: ago(1),
      updated_by: 'ogg',
    },
  ],
  [
    'payout_announcements',
    { payout: 17, kind: 'published', place: 'telegram:-1001', place_name: oddText, post_id: 41, asked_by: 'ogg' },
  ],
  [
    'payout_transactions',
    {
      id: 18,
      ...ofTreasury,
      payout: 17,
      digest: 'a digest',
      bytes: digest('the bytes of a transaction'),
      lines: [0, 2, 3],
      objects: JSON.stringify([{ objectId: '0xc', version: `1${'0'.repeat(18)}` }]),
      chain_id: 'a chain',
      built_checkpoint: 77,
      expires_epoch: 951,
      gas_budget_mist: '50000000',
      gas_mist: '-12',
      built_at: ago(2),
      built_by: 'ogg',
      state: 'executed',
      executed_at: ago(1),
    },
  ],
];
