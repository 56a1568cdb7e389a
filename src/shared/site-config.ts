/**
 * What a page needs to know of this installation (rulings R1). Pages are prerendered with `placeholderSiteConfig`;
 * the server replaces each placeholder by the configured value, and the browser reads the same values from the JSON
 * block `#site-config`, so both render the same.
 */
export interface SiteConfig {
  readonly publicUrl: string;
  readonly network: string;
  readonly explorerUrl: string;
  readonly treasuryAddress: string;
  readonly collectionType: string;
  readonly linkTelegram: string;
  readonly linkX: string;
  readonly linkMarketplace: string;
  readonly linkMint: string;
  readonly linkBot: string;
  /** `2026`: the year (UTC) in which the server filled the page; the browser's own takes over. */
  readonly currentYear: string;
}

const keys: readonly (keyof SiteConfig)[] = [
  'publicUrl',
  'network',
  'explorerUrl',
  'treasuryAddress',
  'collectionType',
  'linkTelegram',
  'linkX',
  'linkMarketplace',
  'linkMint',
  'linkBot',
  'currentYear',
];

/** `@@linkTelegram@@`: safe in text, attributes and URLs, and found in no real page. */
export const placeholderFor = (key: keyof SiteConfig): string => `@@${key}@@`;

export const placeholderSiteConfig: SiteConfig = Object.fromEntries(
  keys.map((key) => [key, placeholderFor(key)]),
) as unknown as SiteConfig;
