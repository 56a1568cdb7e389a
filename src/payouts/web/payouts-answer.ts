import * as z from 'zod/mini';

import { readable } from '../../ui/api/answer-schema.ts';
import { browserSha256, readPublishedFile } from '../../ui/api/published-file.ts';
import { examinePlan } from '../core/check/check-plan.ts';
import { payoutAnswer, payoutsAnswer } from '../payouts-contract.ts';

/** What the pages read of GET /api/payouts and /api/payouts/{id} (rulings R9). null: not known. */

/** Without one of these, the payout, line or payment that it belongs to is left out. */
const ofCoin = ['coin', 'type', 'symbol', 'decimals', 'raw'] as const;
const ofSummary = ['id', 'title', 'shareRaw', 'totalRaw', 'snapshot.checkpoint', 'withdrawn.reason'] as const;
const ofCounts = ['lines.open', 'lines.paid', 'lines.paidOtherwise', 'lines.paidTwice'] as const;
const ofLine = ['address', 'found.rocks', 'leftOut.rocks', 'payments', 'digest', 'explorerUrl'] as const;
const needed = [...ofCoin, ...ofSummary, ...ofCounts, ...ofLine] as const;

export const payoutsPath = '/api/payouts';
export const payoutsPageAnswer = readable(payoutsAnswer, [...needed, 'payouts', 'perRock']);
export type ShownSummary = z.output<typeof payoutsPageAnswer>['payouts'][number];
export type CoinAmount = z.output<typeof payoutsPageAnswer>['perRock'][number];

export const payoutPageAnswer = readable(payoutAnswer, [...needed, 'found', 'strays']);
/** The part of it that says what is paid. */
export const payoutOnChain = readable(z.pick(payoutAnswer, { asOf: true, lines: true, paidRaw: true, strays: true }), [
  ...needed,
  'strays',
]);
export type ShownPayout = z.output<typeof payoutPageAnswer>;
export type ShownLine = ShownPayout['found'][number];
export type ShownPayment = ShownLine['payments'][number];

/** The plan at this address, recalculated in this browser. Throws ApiError. */
export async function examinePlanAt(path: string, publishedSha256: string | null) {
  return examinePlan({ file: await readPublishedFile(path), publishedSha256, sha256: browserSha256() });
}
