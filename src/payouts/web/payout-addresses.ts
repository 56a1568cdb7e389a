/** The one place that knows which addresses payouts have: the server, the router and the links read it. */

const payoutPath = /^\/payouts\/([1-9]\d{0,8})$/;

/** The number in `/payouts/3`; null: it is none. */
export function payoutIdIn(path: string): number | null {
  const digits = payoutPath.exec(path)?.[1];
  return digits === undefined ? null : Number(digits);
}

export const payoutLink = (id: number): string => `/payouts/${id}`;
export const planFile = (id: number): string => `/api/payouts/${id}/plan.json`;
export const linesFile = (id: number): string => `/api/payouts/${id}/lines.csv`;
