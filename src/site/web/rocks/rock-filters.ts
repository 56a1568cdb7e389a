import type { rockSorts } from '../../../market/rocks-contract.ts';
import { cleanText } from '../../../shared/foreign-text.ts';
import { rockColors } from '../../../shared/rock-colors.ts';
import { canonicalName, canonicalWallet, isAddressElsewhere } from '../../../shared/sui-address.ts';
import { withQuery } from '../../../ui/api/api-client.ts';
import { collection } from '../../content.ts';
import { holderLink, rockLink } from './rock-addresses.ts';

export type RockSort = (typeof rockSorts)[number];

/** Which rocks are shown, and in which order; null: not filtered by it. */
export interface RockFilters {
  readonly color: string | null;
  readonly isListed: boolean;
  readonly owner: string | null;
  readonly sort: RockSort;
  /** From 1 on. */
  readonly page: number;
}

interface ReadFilters {
  readonly filters: RockFilters;
  /** A sentence for each invalid part of the address; that part is ignored. */
  readonly problems: readonly string[];
}

/** Checked by type only, so that a browser does not load the server's schemas for three words. */
const sorts: typeof rockSorts = ['number', 'price', 'recent'];
const colorNames = rockColors.map(({ name }) => name as string);

/** The filters in the address (`?color=Azure%20Pulse&listed=true&sort=price&page=2`). They are user input and may be anything. */
export function readFilters(search: string): ReadFilters {
  const given = new URLSearchParams(search);
  const problems: string[] = [];
  /** `readText` returns undefined for an invalid text, and `problem` is reported. */
  const read = <Value>(
    name: string,
    { none, problem, readText }: { none: Value; problem: string; readText: (text: string) => Value | undefined },
  ): Value => {
    const text = given.get(name) ?? '';
    if (text === '') return none;
    const value = readText(text);
    if (value === undefined) problems.push(problem);
    return value ?? none;
  };
  const filters: RockFilters = {
    color: read<string | null>('color', {
      none: null,
      problem: 'There is no such color: rocks of all colors are shown.',
      readText: (text) => colorNames.find((name) => name.toLowerCase() === text.toLowerCase()),
    }),
    isListed: read('listed', {
      none: false,
      problem: "Here 'listed' can only be true: all rocks are shown.",
      readText: (text) => text === 'true' || undefined,
    }),
    owner: readOwner(given.get('owner'), problems),
    sort: read<RockSort>('sort', {
      none: 'number',
      problem: 'There is no such order, so the rocks are sorted by number.',
      readText: (text) => sorts.find((sort) => sort === text),
    }),
    page: read('page', {
      none: 1,
      problem: 'There is no such page: this is the first.',
      readText: (text) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined),
    }),
  };
  return { filters, problems };
}

function readOwner(text: string | null, problems: string[]): string | null {
  if (text === null || text === '') return null;
  const wallet = readWalletText(text);
  if ('address' in wallet) return wallet.address;
  problems.push('The owner must be a Sui address (0x and 64 digits), so the rocks of all owners are shown.');
  return null;
}

/** The query string for a page or a call; empty if nothing is filtered. */
export const searchOf = ({ color, isListed, owner, sort, page }: RockFilters): string =>
  withQuery('', {
    color,
    listed: isListed && 'true',
    owner,
    sort: sort !== 'number' && sort,
    page: page > 1 && String(page),
  });

export const noFilters: RockFilters = { color: null, isListed: false, owner: null, sort: 'number', page: 1 };

/** How a text entered in place of a Sui address was read. */
type WalletText = { readonly address: string } | { readonly name: string } | { readonly problem: string };

const likeName = /@|\.\w+$/;
const hexOnly = /^(?:0x)?[0-9a-f]*$/i;
const walletDigits = 64;
/** Longer than any address or name. */
export const walletTextMax = 250;

const anExample = 'A Sui address begins with 0x and has 64 digits and letters from a to f.';

/** An address or a name of the chain, both canonical, or one sentence on what is wrong with the text. */
export function readWalletText(text: string): WalletText {
  // Copied out of right-to-left text, an address brings invisible direction marks along.
  const typed = cleanText(text, walletTextMax);
  const address = canonicalWallet(typed);
  if (address !== null) return { address };
  const name = canonicalName(typed);
  return name === null ? { problem: problemOf(typed) } : { name };
}

export interface LookedUp {
  readonly to?: string;
  readonly problem?: string;
}

const { totalSupply } = collection;

/** Where a number, an address or a name leads. */
export function lookedUp(typed: string): LookedUp {
  const number = /^#?([-+]?\d{1,9})$/.exec(typed.trim())?.[1];
  if (number !== undefined) {
    const isRock = Number(number) >= 1 && Number(number) <= totalSupply;
    return isRock ? { to: rockLink(Number(number)) } : { problem: `A rock has a number from 1 to ${totalSupply}.` };
  }
  const wallet = readWalletText(typed);
  if ('problem' in wallet) return wallet;
  return { to: holderLink('name' in wallet ? wallet.name : wallet.address) };
}

function problemOf(text: string): string {
  if (text === '') return 'Paste a Sui address or a name first.';
  if (likeName.test(text)) return 'This is not a Sui name. Those look like example.sui or @example.';
  if (isAddressElsewhere(text)) return 'This is an address of another chain. The rocks live on Sui.';
  if (!hexOnly.test(text)) return `This is not a Sui address. ${anExample}`;
  const count = text.replace(/^0x/i, '').length;
  const length = count < walletDigits ? 'too short' : 'too long';
  return `This address is ${length}: it has ${count} of ${walletDigits} digits after 0x. Copy it whole.`;
}
