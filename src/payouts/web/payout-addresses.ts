import { canonicalWallet } from '../../shared/sui-address.ts';

/** All addresses of payouts, for the server, the router and the links. */

const payoutPath = /^\/payouts\/([1-9]\d{0,8})$/;

/** The number in `/payouts/3`; null: it is another path. */
export function payoutIdIn(path: string): number | null {
  const digits = payoutPath.exec(path)?.[1];
  return digits === undefined ? null : Number(digits);
}

export const payoutLink = (id: number): string => `/payouts/${id}`;
export const planFile = (id: number): string => `/api/payouts/${id}/plan.json`;
export const linesFile = (id: number): string => `/api/payouts/${id}/lines.csv`;

/** Which lines of a payout are shown: a page of them, those of one rock, or that of one address. */
export interface LineChoice {
  /** The search as it was typed; empty: none. */
  readonly asked: string;
  readonly rock: number | null;
  readonly address: string | null;
  /** From 1 on. */
  readonly page: number;
  /** Set if the search is neither a rock nor an address. */
  readonly problem: string | null;
  /** Set if there can be no such page. */
  readonly pageProblem: string | null;
}

export const allLines: LineChoice = { asked: '', rock: null, address: null, page: 1, problem: null, pageProblem: null };
/** The name of the search field, which a form without scripts sends. */
export const findName = 'find';
/** The highest page that the call takes. */
export const pageMax = 10_000;
const neither = 'Enter the number of a rock, or an address: 0x followed by 64 digits. All lines are shown.';

/** What `?find=12` or `?page=2` asks for. May be any text. */
export function choiceIn(search: string): LineChoice {
  const given = new URLSearchParams(search);
  const asked = (given.get(findName) ?? '').trim();
  if (asked === '') return pageIn(given.get('page') ?? '');
  const rock = /^#?([1-9]\d{0,5})$/.exec(asked)?.[1];
  if (rock !== undefined) return { ...allLines, asked, rock: Number(rock) };
  const address = /^0x/i.test(asked) ? canonicalWallet(asked) : null;
  return address === null ? { ...allLines, asked, problem: neither } : { ...allLines, asked, address };
}

function pageIn(text: string): LineChoice {
  const page = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (page >= 1 && page <= pageMax) return { ...allLines, page };
  return text === '' ? allLines : { ...allLines, pageProblem: 'There is no such page: this is the first.' };
}

/** The choice in the address of the page; empty if all lines are shown from the first. */
export function searchOf({ rock, address, page }: LineChoice): string {
  const asked = rock ?? address;
  if (asked !== null) return `?${findName}=${asked}`;
  return page > 1 ? `?page=${page}` : '';
}

/** The call that answers it. */
export function linesCall(id: number, { rock, address, page }: LineChoice): string {
  const path = `/api/payouts/${id}`;
  if (rock !== null) return `${path}?rock=${rock}`;
  if (address !== null) return `${path}?address=${address}`;
  return page > 1 ? `${path}?page=${page}` : path;
}
