import type * as z from 'zod/mini';
import { readable } from '../../ui/api/answer-schema.ts';
import { treasurySnapshot, treasuryHistoryAnswer, treasuryTrendAnswer } from '../contract.ts';

/** What the page reads of GET /api/treasury/balance. What the answer lacks is null. */
export const treasuryAnswer = readable(treasurySnapshot);
export type ShownTreasury = z.output<typeof treasuryAnswer>;

type RowOf<Name extends keyof ShownTreasury> = Extract<ShownTreasury[Name], readonly unknown[]>[number];
export type ShownToken = RowOf<'tokenBreakdown'>;
export type ShownNft = RowOf<'nftBreakdown'>;
export type ShownDrift = RowOf<'allocation'>;
export type UncountedToken = RowOf<'uncountedTokens'>;
export type UncountedNfts = RowOf<'uncountedNfts'>;
export type ShownFigure = NonNullable<ShownTreasury['figures']>['allocation'];

/** GET /api/treasury/history. A point without a time or a value is dropped. */
export const historyAnswer = readable(treasuryHistoryAnswer, ['points', 'at', 'totalUsdValue', 'digest', 'text']);
export type ShownHistory = z.output<typeof historyAnswer>;
export type ShownPoint = ShownHistory['points'][number];
export type ShownNote = NonNullable<ShownHistory['notes']>[number];

/** GET /api/treasury/trend (rulings R8). */
export const trendAnswer = readable(treasuryTrendAnswer, ['changes', 'hours', 'days']);
export type ShownChange = z.output<typeof trendAnswer>['changes'][number];
