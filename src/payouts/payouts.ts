import { z } from 'zod';
import type { Config } from '../config.ts';
import { createLimiter } from '../process/concurrency.ts';
import { announcementRoutes } from './announcements-routes.ts';
import { refreshWaiting } from './ledger-now.ts';
import { payoutAdminRoutes } from './payout-admin-routes.ts';
import { createPayoutCache, createPayoutFacts, createReceipts, type PublishedPayout } from './payout-cache.ts';
import type { PayoutDeps, PayoutParts } from './payout-deps.ts';
import { payoutPage, payoutsNoscriptHtml } from './payout-pages.ts';
import { allAnswer, payoutRoutes } from './payout-routes.ts';
import { createPayoutStore, payoutsTopic } from './payout-store.ts';
import { snapshotJob } from './planner.ts';
import { payoutLink } from './web/payout-addresses.ts';
import { transactionRoutes } from './transaction-routes.ts';
import { createTransactionStore } from './transaction-store.ts';
import type { JobName } from '../jobs/jobs.ts';
import { transactionLink } from '../shared/explorer-links.ts';
import type { PaidPayout } from './payouts-contract.ts';
import { payoutUrl } from './core/announcement-card.ts';
import { amountText } from './core/payout-words.ts';
import { isPlanned } from './core/reconcile.ts';

export type Payouts = ReturnType<typeof payoutsFrom>;

/** Payouts to the holders of rocks, from the draft to their state on chain (rulings R9). Adds its jobs. */
export function payoutsFrom(config: Config, parts: PayoutParts) {
  const deps = depsFrom(config, parts);
  const { changes, jobs, ledger, rocks, settings, cache, log } = deps;
  ledger.showPayouts(createPayoutFacts(cache));
  rocks.catalog.showReceipts(createReceipts(cache, settings));
  jobs.add(snapshotJob(deps));
  addPaidMessages(deps);
  const reload = (): Promise<void> => deps.load().catch(() => {});
  ledger.onChange(() => {
    void reload();
    // Shows the result of a transaction that was executed elsewhere. Building the next one checks again.
    refreshWaiting(deps).catch((error: unknown) =>
      log.info({ err: error }, 'The result of a transaction could not be read from the chain'),
    );
  });
  let unsubscribe = (): void => {};
  return {
    routes: [
      ...payoutRoutes(deps),
      ...payoutAdminRoutes(deps),
      ...transactionRoutes(deps),
      ...announcementRoutes(deps),
    ],
    /** For `<!--snapshot:payouts-->`. */
    noscriptHtml: () => payoutsNoscriptHtml(allAnswer(deps)),
    page: payoutPage(deps),
    paths: () => (allAnswer(deps)?.payouts ?? []).map(({ id }) => payoutLink(id)),
    /** Runs after every load. */
    onChange: cache.onChange,
    /** For the owner: payments that are not in the plan of their payout; null: nothing was read yet. */
    problems: cache.problems,
    /** Resolves when the payouts were read from the database, if it answers. */
    start: async (): Promise<void> => {
      unsubscribe = changes.subscribe(payoutsTopic(settings), () => void reload());
      await reload();
    },
    stop: async (): Promise<void> => unsubscribe(),
  };
}

function depsFrom(config: Config, parts: PayoutParts): PayoutDeps {
  const { database: db, audit, ledger } = parts;
  const scope = { network: config.SUI_NETWORK, treasuryAddress: config.TREASURY_ADDRESS };
  const store = createPayoutStore({ db, scope, audit });
  const transactions = createTransactionStore({ db, scope, audit });
  const cache = createPayoutCache({ store, transactions, ledger });
  const inTurn = createLimiter(1);
  // One at a time: an older reading must not replace a newer one.
  const load = (): Promise<void> =>
    inTurn(cache.load).catch((error: unknown) => {
      parts.log.warn({ err: error }, 'The payouts could not be read');
      throw error;
    });
  const settings = {
    ...scope,
    collectionType: config.COLLECTION_TYPE,
    explorerUrl: config.EXPLORER_URL,
    publicUrl: config.PUBLIC_URL,
  };
  return { ...parts, settings, store, transactions, cache, load };
}

const paidMessages = {
  name: 'payout-paid-messages',
  payload: z.object({ payout: z.int() }),
  key: ({ payout }) => String(payout),
} satisfies JobName<{ payout: number }>;

/** Older payments send no message: the notes of who was notified are kept longer than this (src/retention/retention.ts). */
const newsForMs = 30 * 86_400_000;

/** Whenever more lines of a payout are paid, a job notifies those who asked for it. A note makes it one message, whichever copy runs the job. */
function addPaidMessages(deps: PayoutDeps): void {
  const { jobs, cache, load } = deps;
  const { notifyPaid } = deps.discord;
  if (notifyPaid === null) return;
  jobs.add({
    ...paidMessages,
    failing: 'Holders could not be notified of their payouts',
    run: async ({ payout }) => {
      // Another copy may have seen the payment first.
      await load();
      const found = cache.find(payout);
      if (found !== undefined) await notifyPaid(paidOf(deps, found));
    },
  });
  /** The addresses of the lines that were paid when this copy last sent the job. */
  const sent = new Map<number, string>();
  cache.onChange(() => {
    for (const payout of cache.published()) {
      const { id } = payout.summary;
      const before = sent.get(id) ?? '';
      const paid = paidLines(payout).map(({ line }) => line.address);
      sent.set(id, paid.join());
      if (paid.join() === before) continue;
      // The job may not have been sent: the next reading tries again.
      jobs.send(paidMessages, { payout: id }).catch(() => sent.set(id, before));
    }
  });
}

/** The lines with their planned payment, whatever else their holders got. */
const paidLines = ({ plan, result }: PublishedPayout) =>
  plan.lines.flatMap((line, index) => {
    const payment = result.lines[index]?.payments.find((each) => isPlanned(each, line));
    return payment === undefined ? [] : [{ line, payment }];
  });

function paidOf({ settings, clock }: PayoutDeps, payout: PublishedPayout): PaidPayout {
  const { plan, result, summary } = payout;
  const since = clock.now().getTime() - newsForMs;
  // Of a withdrawn payout nothing more will be paid.
  const open = summary.withdrawn === null ? plan.lines.filter((_, at) => result.lines[at]?.state === 'open') : [];
  return {
    id: summary.id,
    title: summary.title,
    url: payoutUrl(settings.publicUrl, summary.id),
    paid: paidLines(payout)
      .filter(({ payment }) => payment.at.getTime() >= since)
      .map(({ line: { address, raw, rocks }, payment: { at, digest } }) => {
        const transactionUrl = transactionLink(settings.explorerUrl, digest);
        return { address, amount: amountText(raw, plan.coin), rocks: rocks.length, at, transactionUrl };
      }),
    openAddresses: new Set(open.map(({ address }) => address)),
  };
}
