/**
 * Specification 7 and 9: how the page reads GET /api/treasury/balance. Apart from the contract so that the browser's
 * bundle carries no schema library for three numbers.
 */
export const treasuryRefetchEveryMs = 300_000;
export const treasuryFreshForMs = 240_000;
export const treasuryRetries = 3;
