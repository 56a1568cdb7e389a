import type { rockSorts } from '../../../market/rocks-contract.ts';
import { rockColors } from '../../../shared/rock-colors.ts';
import { readWalletText } from './wallet-text.ts';

export type RockSort = (typeof rockSorts)[number];

/** What of the rocks is shown, in which order; null: not narrowed by it. */
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
  /** A sentence for each part of the address that means nothing; that part is left out. */
  readonly problems: readonly string[];
}

/** By type, so that a browser does not load the server's schemas for three words. */
const sorts: typeof rockSorts = ['number', 'price', 'recent'];
const colorNames = rockColors.map(({ name }) => name as string);

/** The filters in the address (`?color=Azure%20Pulse&listed=true&sort=price&page=2`). Anything may stand there. */
export function readFilters(search: string): ReadFilters {
  const given = new URLSearchParams(search);
  const problems: string[] = [];
  /** `readText` answers undefined where the text means nothing: `problem` is said then. */
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
      problem: "'listed' is either true or false: all rocks are shown.",
      readText: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
    }),
    owner: readOwner(given.get('owner'), problems),
    sort: read<RockSort>('sort', {
      none: 'number',
      problem: 'There is no such order, so the rocks are in the order of their numbers.',
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
  const problem = 'name' in wallet ? 'Look a name up in the field above.' : wallet.problem;
  problems.push(`${problem} The rocks of all owners are shown.`);
  return null;
}

/** As they stand in the address of a page or a call; empty where nothing is narrowed. */
export function searchOf({ color, isListed, owner, sort, page }: RockFilters): string {
  const search = new URLSearchParams();
  if (color !== null) search.set('color', color);
  if (isListed) search.set('listed', 'true');
  if (owner !== null) search.set('owner', owner);
  if (sort !== 'number') search.set('sort', sort);
  if (page > 1) search.set('page', String(page));
  const text = search.toString().replaceAll('+', '%20');
  return text === '' ? '' : `?${text}`;
}

export const noFilters: RockFilters = { color: null, isListed: false, owner: null, sort: 'number', page: 1 };
