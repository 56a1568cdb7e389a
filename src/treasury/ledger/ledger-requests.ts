import { z } from 'zod';

import { parsed, wholeNumber } from '../../shared/parsed-text.ts';
import { canonicalType } from '../../shared/sui-address.ts';
import { ledgerKinds } from '../core/ledger-words.ts';

const pageMax = 10_000;

const typeLike = (example: string) => parsed(`a type such as ${example} is expected`, canonicalType);

const filters = {
  kind: z.enum(ledgerKinds).optional(),
  coin: typeLike('0x2::sui::SUI').optional().describe('A coin type'),
  apart: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'true: only unsolicited transactions, which anyone can send: the treasury neither signed nor paid for them, and they brought no known coin, no rock and no piece of a collection that it trades. They are never priced or counted. false: all others',
    ),
};
const pageNumber = parsed(`a whole number from 1 to ${pageMax} is expected`, wholeNumber(pageMax)).default(1);
export const ledgerQuery = z.strictObject({ ...filters, page: pageNumber });
export const ledgerCsvQuery = z.strictObject(filters);

export const sweepPiecesQuery = z.strictObject({
  collection: typeLike('0x2::module::Nft'),
  page: pageNumber,
});
