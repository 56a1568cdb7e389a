/** Words and lengths of payouts that pages need too: apart from the schemas, which would bring their library along. */

export const payoutWords = { title: 80, reason: 500, leftOutReason: 120, withdrawnReason: 300 } as const;

/** `total`: shared by all rocks that are paid. `per-rock`: so much for each of them. */
export const amountModes = ['total', 'per-rock'] as const;

/** What of the terms makes a plan impossible. */
export const refusedTerms = ['coin', 'amount', 'left-out'] as const;
export type RefusedTerm = (typeof refusedTerms)[number];

/** What the chain says of a line. `paid-otherwise`: another amount, or to another address. */
export const lineStates = ['open', 'paid', 'paid-otherwise', 'paid-twice'] as const;
export type LineState = (typeof lineStates)[number];

/** `paying` and `paid` follow from the chain alone. */
export const payoutStates = ['draft', 'published', 'paying', 'paid', 'withdrawn'] as const;
export type PayoutState = (typeof payoutStates)[number];

/**
 * `waiting`: it may still be executed, and while it may, no other one is built. `executed`: it is on chain and did what it says.
 * `failed`: it is on chain and moved nothing but gas. `expired`: its last epoch is over. `spent`: another transaction used a coin object of it.
 */
export const transactionStates = ['waiting', 'executed', 'failed', 'expired', 'spent'] as const;
export type TransactionState = (typeof transactionStates)[number];

export const lookResults = ['executed', 'failed', 'not-found', 'not-of-the-treasury'] as const;
