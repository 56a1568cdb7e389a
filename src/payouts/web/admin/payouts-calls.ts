import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { oneOf, orNull, orUnknown, readable, readAnswer, textOrNone } from '../../../ui/api/answer-schema.ts';
import { ApiError, UnexpectedAnswer } from '../../../ui/api/api-client.ts';
import { pollEveryMs, useAnswer, useApiMutation, useReload, watchEveryMs } from '../../../ui/api/use-answer.ts';
import type { ToastText } from '../../../ui/toast/toast-region.tsx';
import { chainCheckResults } from '../../core/payout-words.ts';
import {
  adminPayout,
  adminPayoutsAnswer,
  payoutTransactionsAnswer,
  previewAnswer,
} from '../../payout-admin-contract.ts';
import { examinePlanAt } from '../payouts-answer.ts';

/** What the tab 'Payouts' reads and writes (rulings R9). null: not known. */

const holders = orUnknown(z.number());
const words = { title: textOrNone, reason: textOrNone, coinType: textOrNone, builtBy: textOrNone };
// null: there is no last payout to compare with.
const own = { ...words, newHolders: holders, goneHolders: holders };
const ofPlan = ['type', 'leftOut.address'] as const;

const listedPayout = adminPayout;
// null: there is none.
const ownOfPayout = { ...own, plan: orUnknown(readable(listedPayout.shape.plan, ofPlan, own)) };
export const payout = readable(listedPayout, ['id', ...ofPlan], ownOfPayout);
export type Payout = z.output<typeof payout>;

/** GET /api/admin/payouts. `coins` null: the treasury was never read. */
export const payouts = readable(adminPayoutsAnswer, ['payouts', 'id', ...ofPlan], ownOfPayout);
export type TreasuryCoin = NonNullable<z.output<typeof payouts>['coins']>[number];

/** The `data` of a call that changed a payout. */
export const changedPayout = z.object({ id: z.number() });

/** POST /api/admin/payouts/preview. */
export const preview = readable(previewAnswer, ofPlan, own);
export type Preview = z.output<typeof preview>;
export type Outcome = NonNullable<Preview['outcome']>;

export const payoutsPath = '/api/admin/payouts';
export const payoutPath = (id: number): string => `${payoutsPath}/${id}`;

/** The list is polled often while owners are being read, and until the treasury has been read. */
export const usePayouts = () =>
  useAnswer(payoutsPath, payouts, {
    refetchInterval: ({ state: { data } }) =>
      data?.coins === null || data?.payouts.some(isReading) === true ? watchEveryMs : pollEveryMs,
  });

export const isReading = ({ snapshot }: Pick<Payout, 'snapshot'>): boolean => (snapshot?.askedAt ?? null) !== null;

/** What paying a published payout reads and writes. null: not known. */

/** GET /api/admin/payouts/{id}/transactions, newest first. */
export const transactions = readable(payoutTransactionsAnswer, ['transactions', 'digest'], {
  ...words,
  // All or nothing: a line that could not be read must not be missing from what is signed.
  received: orNull(payoutTransactionsAnswer.shape.transactions.def.element.shape.received),
});
export type Transaction = z.output<typeof transactions>['transactions'][number];
export type PaidLine = NonNullable<Transaction['received']>[number];

const chainCheck = z.object({ found: oneOf(...chainCheckResults) });
export type ChainCheckResult = z.infer<typeof chainCheck>['found'];

const transactionsPath = (id: number): string => `${payoutPath(id)}/transactions`;

export const useTransactions = (id: number) => useAnswer(transactionsPath(id), transactions);

/** The plan of a draft as it would be published. */
export const draftPlanFile = (id: number): string => `${payoutPath(id)}/plan.json`;

/** Loads a plan and checks that it adds up and is this payout's. A plan with the same hash never changes. */
export const usePlan = (path: string, id: number, sha256: string | null, treasury: string) =>
  useQuery({
    queryKey: [path, sha256, treasury],
    queryFn: async () => {
      const examined = await examinePlanAt(path, sha256);
      // A proxy or an older server may have answered: it can be read again.
      if ('problem' in examined) throw new UnexpectedAnswer(examined.problem);
      const { plan, sha256: calculated, problems } = examined;
      const isOther = plan.payout !== id || plan.treasury !== treasury;
      const problem = isOther ? 'This is the plan of another payout.' : (problems[0] ?? null);
      return { plan, sha256: calculated, problem };
    },
  });

/** Builds the next transaction, or returns the one that waits. */
export const useBuild = (id: number) =>
  useApiMutation({
    call: () => ({ method: 'POST', path: transactionsPath(id) }),
    success: { title: 'Transaction built', description: 'Check what it does before anyone signs it.' },
    failure: 'No transaction was built',
  });

/** Only the server can say that it was not sent: someone who believes so pays by hand, which cannot be undone. */
const sendingFailed = (message: string, error: unknown): ToastText =>
  error instanceof ApiError && error.status < 500
    ? { title: 'The transaction was not sent', description: message }
    : {
        title: 'Whether it was sent is not known',
        description: `It may have been sent: check the chain before anything else. ${message}`,
      };

/** Hands the signature to the server, which sends the transaction to the node. */
export function useSend(id: number, digest: string) {
  const sending = useApiMutation<string>({
    call: (signature) => ({
      method: 'POST',
      path: `${transactionsPath(id)}/${encodeURIComponent(digest)}/send`,
      body: { signature },
    }),
    success: { title: 'Sent', description: 'The result on chain is shown below.' },
    failure: sendingFailed,
  });
  const { problem, error } = sending;
  return { ...sending, problem: problem === undefined ? undefined : sendingFailed(problem, error).description };
}

/** Reads the chain now, for a transaction executed elsewhere. `digest` null: only reads the chain to its end. */
export function useChainCheck(id: number) {
  const reload = useReload();
  return async (digest: string | null): Promise<ChainCheckResult> => {
    const { found } = await readAnswer(
      { method: 'POST', path: `${transactionsPath(id)}/check`, body: { digest } },
      chainCheck,
    );
    reload();
    return found;
  };
}
