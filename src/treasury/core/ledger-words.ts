/** Words and lengths of the ledger, for requests, answers and pages. */

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

/** Slices of the plan for which the team may declare an amount (rulings R3). */
export const declarableSlices = ['leveraged-trading', 'operations'] as const;
export type DeclarableSlice = (typeof declarableSlices)[number];

/** Format of a declared amount in USD. */
export const declaredUsdPattern = /^\d{1,9}(?:\.\d{1,2})?$/;

/** Length limits of the team's texts, in characters. */
export const wordsMax = { note: 280, link: 500, name: 40 } as const;
