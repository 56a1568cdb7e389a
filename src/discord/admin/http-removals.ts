import { type Admin, adminOf, failure } from '../../http/admin-call.ts';
import { defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { Refused } from '../../shared/failure.ts';
import { actionParams, doneAnswer, removalParams } from '../members-contract.ts';

export interface RemovalCalls {
  /** Throws Refused: `not-found`, `already-decided`. */
  readonly decide: (removalId: string, word: 'approved' | 'refused', by: Admin) => Promise<void>;
  readonly retry: (actionId: string, by: Admin) => Promise<'queued' | 'unknown' | 'not-failed' | 'superseded'>;
}

/** Rulings R5 and R6: decisions on mass removals, and retries of failed role changes. */
export const removalRoutes = ({ decide, retry }: RemovalCalls): readonly Route[] => [
  decisionRoute('approve', 'approved', 'Approve a mass removal that waits', decide),
  decisionRoute('refuse', 'refused', 'Refuse a mass removal: the role stays until the wallets hold again', decide),
  defineRoute({
    method: 'POST',
    path: '/api/discord/actions/{actionId}/retry',
    access: 'admin',
    summary: 'Try a failed role change or direct message again',
    params: actionParams,
    answer: doneAnswer,
    handle: async ({ params, user }) => retryAnswers[await retry(params.actionId, adminOf(user))],
  }),
];

const done: RouteAnswer = { status: 200, body: { data: { ok: true } } };
const retryAnswers = {
  queued: done,
  unknown: failure(404, 'not-found', 'There is no such role change: it may have been purged. Refresh the page.'),
  'not-failed': failure(409, 'action-not-failed', 'Only what failed can be tried again. Refresh the page.'),
  superseded: failure(409, 'action-superseded', 'Something newer waits for this member. Refresh the page.'),
} as const;

const decisionRoute = (
  verb: string,
  word: 'approved' | 'refused',
  summary: string,
  decide: RemovalCalls['decide'],
): Route =>
  defineRoute({
    method: 'POST',
    path: `/api/discord/removals/{removalId}/${verb}`,
    access: 'admin',
    summary,
    params: removalParams,
    answer: doneAnswer,
    handle: async ({ params, user }) => {
      try {
        await decide(params.removalId, word, adminOf(user));
        return done;
      } catch (error) {
        if (error instanceof Refused && error.reason === 'already-decided') {
          return failure(409, error.reason, error.message);
        }
        throw error;
      }
    },
  });
