import type { Page } from '@playwright/test';
import type { AdminPayout, AdminPayoutsAnswer, PreviewAnswer } from '../../../src/payouts/payout-admin-contract.ts';
import type { DraftTerms } from '../../../src/payouts/core/draft-terms.ts';
import { suiCoinType } from '../../../src/shared/sui-address.ts';
import { until } from '../../support/until.ts';
import { callAs } from './telegram-groups.ts';

export const payoutsTab = '/admin?tab=payouts';
export const payoutAt = (id: number): string => `${payoutsTab}&payout=${id}`;
export const newDraft = `${payoutsTab}&draft=new`;
export const draftAt = (id: number): string => `${payoutsTab}&draft=${id}`;

export const terms: DraftTerms = {
  title: 'October',
  reason: 'Revenue of October',
  coinType: suiCoinType,
  amount: { mode: 'total', raw: '100000000000' },
  leftOut: [],
};

/** Waits for the owners: without them a payout has no receivers. */
export const ownersAreKnown = (page: Page): Promise<void> =>
  until(
    'owners and treasury are read',
    async () => ((await callAs(page, 'POST', '/api/admin/payouts/preview', terms)) as PreviewAnswer).outcome !== null,
    90_000,
  );

export const drafted = async (page: Page, given: Partial<DraftTerms> = {}): Promise<AdminPayout> =>
  (await callAs(page, 'POST', '/api/admin/payouts', { ...terms, ...given })) as AdminPayout;

export const seen = async (page: Page, id: number): Promise<AdminPayout> => {
  const { payouts } = (await callAs(page, 'GET', '/api/admin/payouts')) as AdminPayoutsAnswer;
  const found = payouts.find((payout) => payout.id === id);
  if (found === undefined) throw new Error(`There is no payout ${id}`);
  return found;
};

/** A draft whose owners are read: it can be published. */
export async function withOwners(page: Page, given: Partial<DraftTerms> = {}): Promise<AdminPayout> {
  const { id } = await drafted(page, given);
  await callAs(page, 'POST', `/api/admin/payouts/${id}/snapshot`);
  await until('the owners are read', async () => (await seen(page, id)).plan !== null, 60_000);
  return seen(page, id);
}

export async function published(page: Page, given: Partial<DraftTerms> = {}): Promise<AdminPayout> {
  const { id, plan } = await withOwners(page, given);
  await callAs(page, 'POST', `/api/admin/payouts/${id}/publish`, { sha256: plan?.sha256 ?? '' });
  return seen(page, id);
}
