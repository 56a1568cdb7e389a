import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { readable, readAnswer } from '../../../ui/api/answer-schema.ts';
import { ApiError, failureText } from '../../../ui/api/api-client.ts';
import {
  verificationAnswer,
  verifyMessageAnswer,
  verifyOutcomeAnswer,
  verifyProgressAnswer,
} from '../../members-contract.ts';

/** What the page /verify reads and sends. */

export const linkAnswer = readable(verificationAnswer);
const messageAnswer = readable(verifyMessageAnswer, ['message']);
export const outcomeAnswer = readable(verifyOutcomeAnswer);
const progressAnswer = readable(verifyProgressAnswer);

export type Link = z.output<typeof linkAnswer>;
export type Outcome = z.output<typeof outcomeAnswer>;
type Progress = z.output<typeof progressAnswer>;

interface LinkProblem {
  readonly sentence: string;
  /** How the link ended; null: it may be retried. */
  readonly end: LinkEnd | null;
}

/** The link itself is wrong, or a wallet that could not be linked used it up. */
export type LinkEnd = 'unusable' | 'not-linked';

/** What became of a link on this page. */
export type LinkFate =
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'over'; readonly end: LinkEnd; readonly sentence: string };

const goneStatuses: ReadonlySet<number> = new Set([404, 410]);
/** These use up the link, although nothing is wrong with the link itself. */
const endingCodes: ReadonlySet<string> = new Set(['wallet-taken', 'too-many-wallets']);

export const linkProblemOf = (error: unknown): LinkProblem => ({
  sentence: failureText(error),
  end: error instanceof ApiError ? endOf(error) : null,
});

function endOf({ status, code }: ApiError): LinkEnd | null {
  if (goneStatuses.has(status)) return 'unusable';
  return endingCodes.has(code ?? '') ? 'not-linked' : null;
}

const pathOf = (token: string): string => `/api/verify/${encodeURIComponent(token)}`;

export const useLink = (token: string, isWhole: boolean) => {
  const path = pathOf(token);
  return useQuery({
    enabled: isWhole,
    queryKey: [path],
    queryFn: ({ signal }) => readAnswer({ path, signal }, linkAnswer),
  });
};

/** Kept beside the link as it was read, so that the browser's back button does not offer a used link again. */
export function useLinkFate(token: string) {
  const client = useQueryClient();
  const queryKey = [pathOf(token), 'fate'];
  const { data = null } = useQuery<LinkFate>({ queryKey, queryFn: skipToken });
  return { fate: data, keepFate: (fate: LinkFate): void => void client.setQueryData(queryKey, fate) };
}

const posted = (token: string, to: string, body: object) =>
  ({ method: 'POST', path: `${pathOf(token)}/${to}`, body }) as const;

export const requestMessage = async (token: string, wallet: string): Promise<string> =>
  (await readAnswer(posted(token, 'message', { wallet }), messageAnswer)).message;

export const sendSignature = (token: string, wallet: string, signature: string): Promise<Outcome> =>
  readAnswer(posted(token, 'signature', { wallet, signature }), outcomeAnswer);

/** The state of a submitted signature, as last answered. */
interface Submitted extends Pick<Outcome, 'outcome' | 'receipt'> {
  readonly isGiven: boolean;
  readonly error: Error | null;
}

/** Whether the role may still be given, so that the page asks for the outcome again. */
export function roleMayFollow({ outcome, receipt, isGiven, error }: Submitted): boolean {
  // Only with the receipt can the page ask.
  if (receipt === null || isGiven) return false;
  if (error !== null && linkProblemOf(error).end !== null) return false;
  // On its way, or it is not known yet what the member holds.
  return outcome === null || outcome === 'role-coming' || outcome === 'unknown';
}

/** Pauses between requests; after the last one the page stops asking. */
const pausesMs = [1_000, 1_000, 2_000, 3_000, 5_000, 8_000, 13_000, 21_000, 34_000] as const;

/** Follows the outcome while the page is open, less and less often. `isFollowed`: the role may still come. */
export function useProgress(token: string, first: Outcome) {
  const { receipt } = first;
  const mayFollow = (progress: Progress | undefined, error: Error | null): boolean =>
    roleMayFollow({ outcome: (progress ?? first).outcome, receipt, isGiven: progress?.isGiven === true, error });
  const { data, error } = useQuery({
    enabled: mayFollow(undefined, null),
    queryKey: [pathOf(token), receipt],
    queryFn: ({ signal }) => readAnswer({ ...posted(token, 'outcome', { receipt }), signal }, progressAnswer),
    refetchInterval: ({ state: { data, error, dataUpdateCount, errorUpdateCount } }) =>
      mayFollow(data, error) && (pausesMs[dataUpdateCount + errorUpdateCount] ?? false),
    refetchIntervalInBackground: true,
  });
  return { progress: data ?? null, isFollowed: mayFollow(data, error) };
}
