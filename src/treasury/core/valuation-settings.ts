import type { KnownCoin } from './known-coins.ts';

/** What the valuation needs to know of this installation. */
export interface ValuationSettings {
  readonly network: string;
  readonly treasuryAddress: string;
  /** Base of the block explorer including the network, without a trailing slash. */
  readonly explorerUrl: string;
  /** Canonical type of the product's own collection. */
  readonly collectionType: string;
  /** How often the treasury is read; a figure older than twice this is stale. */
  readonly refreshMs: number;
  /** How often the marketplace is asked, when that is more seldom. */
  readonly marketRefreshMs: number;
  readonly knownCoins: readonly KnownCoin[];
}
