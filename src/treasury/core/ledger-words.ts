/** Words and lengths of the ledger that pages need too: apart from the schemas, which would bring their library along. */

export const ledgerKinds = [
  'mint-income',
  'nft-purchase',
  'nft-sale',
  'swap',
  'transfer-in',
  'transfer-out',
  'payout',
  'fee',
  'staking',
  'other',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** What the team declares an address to be. */
export const declaredRoles = ['exchange', 'marketplace', 'team', 'other'] as const;

/** Slices of the plan of which the team may declare what is there (rulings R3). */
export const declarableSlices = ['leveraged-trading', 'operations'] as const;
export type DeclarableSlice = (typeof declarableSlices)[number];

/** USD as the team declares them. */
export const declaredUsdPattern = /^\d{1,9}(?:\.\d{1,2})?$/;

/** How long the team's words may be, in characters. */
export const wordsMax = { note: 280, link: 500, name: 40 } as const;
