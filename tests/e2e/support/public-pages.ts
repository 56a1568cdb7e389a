/** The public pages, in the order of the sitemap. */
export const publicPages = [
  '/',
  '/nft',
  '/rocks',
  '/rockfolio',
  '/statements',
  '/payouts',
  '/telegram',
  '/verify',
  '/privacy',
  '/terms',
] as const;
