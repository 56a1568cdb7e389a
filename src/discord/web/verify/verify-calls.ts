import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { flag, oneOf, readAnswer, rows, text, time } from '../../../ui/api/answer-schema.ts';
import { ApiError, failureText } from '../../../ui/api/api-client.ts';

/** What the page reads of the calls in verify-contract.ts. */
export const linkAnswer = z.object({
  guildName: text,
  memberName: text,
  nftName: text,
  network: text,
  expiresAt: time,
});
const messageAnswer = z.object({ message: z.string() });
const howItStands = {
  outcome: oneOf('role-coming', 'not-holding', 'unknown', 'not-set-up'),
  sentences: rows(z.string()),
};
export const outcomeAnswer = z.object({ ...howItStands, wallet: text, receipt: text });
const progressAnswer = z.object({ ...howItStands, isGiven: flag });

export type Link = z.infer<typeof linkAnswer>;
export type Outcome = z.infer<typeof outcomeAnswer>;
export type Progress = z.infer<typeof progressAnswer>;

/** Why a call failed. */
export interface CallTrouble {
  readonly sentence: string;
  /** Nothing more can be done with this link; null: it may be retried. */
  readonly over: LinkEnd | null;
}

/** Whether the link itself is wrong, or it was used up by a wallet that could not be linked. */
export type LinkEnd = 'unusable' | 'not-linked';

const goneStatuses: ReadonlySet<number> = new Set([404, 410]);
/** These use the link up, and the problem lies elsewhere. */
const endingCodes: ReadonlySet<string> = new Set(['wallet-taken', 'too-many-wallets', 'chain-unavailable']);

export const troubleOf = (error: unknown): CallTrouble => ({
  sentence: failureText(error),
  over: error instanceof ApiError ? endOf(error) : null,
});

function endOf({ status, code }: ApiError): LinkEnd | null {
  if (goneStatuses.has(status)) return 'unusable';
  return endingCodes.has(code ?? '') ? 'not-linked' : null;
}

const pathOf = (token: string): string => `/api/verify/${encodeURIComponent(token)}`;

export const useLink = (token: string, isWhole: boolean) =>
  useQuery({
    enabled: isWhole,
    queryKey: [pathOf(token)],
    queryFn: ({ signal }) => readAnswer({ path: pathOf(token), signal }, linkAnswer),
    networkMode: 'always',
  });

const posted = (token: string, to: string, body: object) =>
  ({ method: 'POST', path: `${pathOf(token)}/${to}`, body }) as const;

/** What the wallet is to sign. */
export const askMessage = async (token: string, wallet: string): Promise<string> =>
  (await readAnswer(posted(token, 'message', { wallet }), messageAnswer)).message;

export const sendSignature = (token: string, wallet: string, signature: string): Promise<Outcome> =>
  readAnswer(posted(token, 'signature', { wallet, signature }), outcomeAnswer);

export const askProgress = (token: string, receipt: string, signal: AbortSignal): Promise<Progress> =>
  readAnswer({ ...posted(token, 'outcome', { receipt }), signal }, progressAnswer);
