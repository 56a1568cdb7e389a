import { canonicalAddress } from '../../shared/sui-address.ts';
import { withQuery } from '../../ui/api/api-client.ts';
import { kindNames } from './movement-words.ts';

/** Which movements are shown. */
export interface LedgerFilters {
  readonly kind: string;
  readonly coin: string;
  readonly isUnsolicited: boolean;
  readonly page: number;
}

export const everything: LedgerFilters = { kind: '', coin: '', isUnsolicited: false, page: 1 };

/** The same query for the address of the page and for the API call. */
export const searchOf = ({ kind, coin, isUnsolicited, page }: LedgerFilters): string =>
  withQuery('', { kind, coin, apart: isUnsolicited && 'true', page: page > 1 && String(page) });

/** The address may contain anything. `problems`: a sentence for each invalid part, which is ignored. */
export function movementFilters(search: string): {
  readonly filters: LedgerFilters;
  readonly problems: readonly string[];
} {
  const given = new URLSearchParams(search);
  const problems: string[] = [];
  const read = (name: string, isValid: (text: string) => boolean, problem: string): string => {
    const text = given.get(name) ?? '';
    if (text === '' || isValid(text)) return text;
    problems.push(problem);
    return '';
  };
  const isKind = (text: string): boolean => Object.hasOwn(kindNames, text);
  const isCoin = (text: string): boolean => /^0x[\da-f]{1,64}::\w+::\w/.test(text);
  const isYesOrNo = (text: string): boolean => text === 'true' || text === 'false';
  const isPage = (text: string): boolean => /^[1-9]\d{0,3}$/.test(text);
  const filters = {
    kind: read('kind', isKind, 'There is no such kind: movements of all kinds are shown.'),
    // As the ledger writes it: people write 0x2::sui::SUI.
    coin: read('coin', isCoin, 'This is no type of a coin: movements of all coins are shown.').replace(
      /^0x[\da-f]+/,
      (address) => canonicalAddress(address) ?? address,
    ),
    isUnsolicited:
      read('apart', isYesOrNo, "'apart' is either true or false: unsolicited transfers are left out.") === 'true',
    page: Number(read('page', isPage, 'There is no such page: this is the first.') || 1),
  };
  return { filters, problems };
}
