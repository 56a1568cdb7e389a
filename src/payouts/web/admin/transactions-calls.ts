import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import {
  list,
  number,
  oneOf,
  orNull,
  part,
  readAnswer,
  text,
  textOrNone,
  time,
} from '../../../ui/api/answer-schema.ts';
import { callApi } from '../../../ui/api/api-client.ts';
import { useAnswer, useApiMutation } from '../../../ui/api/use-answer.ts';
import { lookResults, transactionStates } from '../../core/payout-terms.ts';
import { payoutPath, publicPath, raw, useRefreshPayouts } from './payouts-calls.ts';

/** What paying a published payout reads and writes. null: not known. */

const digits = z.string().check(z.regex(/^\d{1,78}$/));

/** Whole or not at all: a line that could not be read must not be left out of what is signed. */
const paidLine = z.object({ address: z.string(), raw: digits, rocks: z.array(z.number()) });
export type PaidLine = z.infer<typeof paidLine>;
const effects = orNull(z.object({ received: z.array(paidLine), leavesRaw: digits, gasMist: digits }));
export type Effects = NonNullable<z.infer<typeof effects>>;

const transaction = z.object({
  digest: z.string(),
  state: oneOf(...transactionStates),
  lines: number,
  totalRaw: raw,
  gasBudgetMist: raw,
  gasMist: raw,
  builtAt: time,
  builtBy: textOrNone,
  expiresEpoch: number,
  executedAt: time,
  explorerUrl: text,
  bytes: text,
  // While it waits: why it must not be signed.
  problem: text,
  effects,
});
export type Transaction = z.infer<typeof transaction>;

/** GET /api/admin/payouts/{id}/transactions, newest first. */
export const transactions = z.object({ transactions: list(transaction), open: part({ lines: number, raw }) });

const checked = z.object({ isSame: z.boolean(), differences: z.array(z.string()) });
const looked = z.object({ found: oneOf(...lookResults) });
export type Found = z.infer<typeof looked>['found'];

/** GET /api/payouts/{id}/plan.json, as far as paying goes: its lines. */
export const planLines = z.pipe(
  z.object({ lines: z.array(paidLine) }),
  z.transform(({ lines }) => lines),
);

const transactionsPath = (id: number): string => `${payoutPath(id)}/transactions`;

export const useTransactions = (id: number) => useAnswer(transactionsPath(id), transactions);

/** A published plan never changes. */
export const usePlan = (id: number) => {
  const path = `${publicPath(id)}/plan.json`;
  return useQuery({
    queryKey: [path],
    queryFn: async ({ signal }) => planLines.parse(await callApi({ path, signal })),
    networkMode: 'always',
  });
};

/** Builds the next transaction, or answers the one that waits. */
export const useBuild = (id: number) =>
  useApiMutation({
    call: () => ({ method: 'POST', path: transactionsPath(id) }),
    success: { title: 'Transaction built', description: 'Check what it does before anyone signs it.' },
    failure: 'No transaction was built',
    refresh: useRefreshPayouts(),
  });

/** Hands signatures over; the node sends the transaction. */
export const useSend = (id: number, digest: string) =>
  useApiMutation<readonly string[]>({
    call: (signatures) => ({
      method: 'POST',
      path: `${transactionsPath(id)}/${encodeURIComponent(digest)}/send`,
      body: { signatures },
    }),
    success: { title: 'Sent', description: 'The result on chain is shown below.' },
    failure: 'The transaction was not sent',
    refresh: useRefreshPayouts(),
  });

/** Whether bytes that another tool shows are the transaction that waits. */
export const checkBytes = (id: number, bytes: string) =>
  readAnswer({ method: 'POST', path: `${transactionsPath(id)}/check`, body: { bytes } }, checked);

/** Reads the chain now, for who has executed it elsewhere. null: whatever there is. */
export function useLook(id: number) {
  const refresh = useRefreshPayouts();
  return async (digest: string | null): Promise<Found> => {
    const { found } = await readAnswer(
      { method: 'POST', path: `${transactionsPath(id)}/look`, body: { digest } },
      looked,
    );
    refresh();
    return found;
  };
}
