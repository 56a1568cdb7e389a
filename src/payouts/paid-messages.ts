import { z } from 'zod';

import type { JobName } from '../jobs/jobs.ts';
import { transactionLink } from '../shared/explorer-links.ts';
import type { PaidPayout } from './payouts-contract.ts';
import { payoutUrl } from './core/announcement-card.ts';
import { amountText } from './core/payout-words.ts';
import type { PublishedPayout } from './payout-book.ts';
import type { PayoutDeps } from './payout-deps.ts';

const paidMessages = {
  name: 'payout-paid-messages',
  payload: z.object({ payout: z.int() }),
  key: ({ payout }) => String(payout),
} satisfies JobName<{ payout: number }>;

/** Older payments are no news: notes of who was notified are kept longer than that (src/retention/retention.ts). */
const newsForMs = 30 * 86_400_000;

/** Each time the chain pays more lines of a payout, a job tells who asked for it. Whichever copy runs it, a note keeps it at one message. */
export function addPaidMessages(deps: PayoutDeps): void {
  const { jobs, book, load } = deps;
  const { tellPaid } = deps.discord;
  if (tellPaid === null) return;
  jobs.add({
    ...paidMessages,
    failing: 'Holders could not be notified of their payouts',
    run: async ({ payout }) => {
      // Another copy may have seen the payment first.
      await load();
      const found = book.find(payout);
      if (found !== undefined) await tellPaid(paidOf(deps, found));
    },
  });
  /** Lines that were paid when this copy last sent the job. */
  const sent = new Map<number, number>();
  book.onChange(() => {
    for (const { summary } of book.published()) {
      const { id, lines } = summary;
      const before = sent.get(id) ?? 0;
      sent.set(id, lines.paid);
      if (lines.paid === before) continue;
      // Not known to be sent: the next reading tries again.
      jobs.send(paidMessages, { payout: id }).catch(() => sent.set(id, before));
    }
  });
}

function paidOf({ settings, clock }: PayoutDeps, { plan, result, summary }: PublishedPayout): PaidPayout {
  const since = clock.now().getTime() - newsForMs;
  const lines = plan.lines.map((line, index) => ({ ...line, result: result.lines[index] }));
  return {
    id: summary.id,
    title: summary.title,
    url: payoutUrl(settings.publicUrl, summary.id),
    paid: lines.flatMap(({ address, raw, rocks, result: line }) => {
      const [payment] = line?.state === 'paid' ? line.payments : [];
      if (payment === undefined || payment.at.getTime() < since) return [];
      const transactionUrl = transactionLink(settings.explorerUrl, payment.digest);
      return [{ address, amount: amountText(raw, plan.coin), rocks: rocks.length, at: payment.at, transactionUrl }];
    }),
    openAddresses: new Set(lines.filter((line) => line.result?.state === 'open').map(({ address }) => address)),
  };
}
