import { createLimiter } from '../../process/concurrency.ts';
import type { PayoutFacts } from '../ledger-contract.ts';
import { treasuryAdminRoutes } from '../notes/treasury-admin-routes.ts';
import { createStatements } from '../statements/statements.ts';
import { createFeed, feedRoute } from './feed.ts';
import { createLedgerAnswers, ledgerRoutes } from './ledger-answers.ts';
import { createLedgerSummary } from './ledger-summary.ts';
import { createReadUpTo, ledgerJob } from './ledger-job.ts';
import { createLedgerParts, type LedgerDeps } from './ledger-parts.ts';
import { ledgerTopic } from './ledger-store.ts';
import { dayPriceJob, priceJob } from './price-jobs.ts';
import { createSweeps } from './sweeps.ts';

export type Ledger = ReturnType<typeof createLedger>;

/** Every movement of the treasury since its first (rulings R8). Adds its jobs. */
export function createLedger(deps: LedgerDeps) {
  const parts = createLedgerParts(deps);
  const { treasuryKey, store, queries, changes, jobs, log } = parts;
  const summary = createLedgerSummary(parts);
  const payouts = awaitedPayouts(() => forget());
  const answers = createLedgerAnswers({ ...parts, summary, payouts: payouts.now });
  const sweeps = createSweeps({ ...parts, summary });
  const feed = createFeed({ ...parts, answers, payouts: payouts.now });
  const forget = (): void => [answers, sweeps, feed].forEach((part) => part.forget());
  for (const job of [ledgerJob(parts), priceJob(parts), dayPriceJob(parts)]) jobs.add(job);
  const statements = createStatements(parts, summary);
  const listeners = new Set<() => void>();
  const read = async (): Promise<void> => {
    await Promise.all([summary.load(), statements.load()]).catch((error: unknown) =>
      log.warn({ err: error }, 'The stored movements of the treasury could not be loaded'),
    );
    forget();
    for (const run of listeners) run();
  };
  const inTurn = createLimiter(1);
  // One at a time, so that an older load is never shown after a newer one.
  const load = (): Promise<void> => inTurn(read);
  let unsubscribe = (): void => {};
  return {
    routes: [
      ...ledgerRoutes(answers, summary),
      ...sweeps.routes,
      feedRoute(feed),
      ...statements.routes,
      ...treasuryAdminRoutes(parts, summary),
    ],
    statements,
    /** Resolves when the stored ledger is shown. */
    start: async (): Promise<void> => {
      unsubscribe = changes.subscribe(ledgerTopic(treasuryKey), () => void load());
      await load();
    },
    stop: async (): Promise<void> => unsubscribe(),
    reach: () => summary.reach(),
    sentSince: queries.sentSince,
    /** Sends the ledger's job and waits until the checkpoint has been read. Throws Unavailable. */
    readUpTo: createReadUpTo(store, jobs),
    progress: store.progress,
    coveredAt: summary.coveredAt,
    /** Runs after the ledger was read again. */
    onChange: (run: () => void): void => void listeners.add(run),
    /** Sets where payout facts come from; before that there are none. */
    showPayouts: payouts.show,
    /** Which coins do not add up, and by how much: '+12.5 SUI'. null: none in the last comparison. */
    unexplained: store.unexplained,
  };
}

const noPayouts: PayoutFacts = { payoutOf: () => null, digests: () => [], news: () => [], onChange: () => {} };

/** The payouts module is created after the ledger, because it reads the ledger. */
function awaitedPayouts(onChange: () => void) {
  let facts = noPayouts;
  return {
    now: (): PayoutFacts => facts,
    show: (shown: PayoutFacts): void => {
      facts = shown;
      shown.onChange(onChange);
    },
  };
}
