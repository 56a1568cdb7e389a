const keys = [
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
  /** `2026`: the year (UTC) in which the server filled the page, until the browser puts in its own. */
  'currentYear',
] as const;

/**
 * What a page needs to know about this installation (rulings R1). Pages are prerendered with `placeholderSiteConfig`; the
 * server replaces each placeholder with the configured value, and the browser reads the same values from the JSON block
 * `#site-config`, so both render the same.
 */
export type SiteConfig = Readonly<Record<(typeof keys)[number], string>>;

/** `@@linkTelegram@@`: safe in text, attributes and URLs, and found in no real page. */
export const placeholderFor = (key: keyof SiteConfig): string => `@@${key}@@`;

export const placeholderSiteConfig: SiteConfig = Object.fromEntries(
  keys.map((key) => [key, placeholderFor(key)]),
) as unknown as SiteConfig;
