import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { dataIn, flag, oneOf, readAnswer, rows, text, time } from '../../../ui/api/answer-schema.ts';
import { ApiError, callApi, failureText } from '../../../ui/api/api-client.ts';

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

export function troubleOf(error: unknown): CallTrouble {
  return { sentence: failureText(error), over: error instanceof ApiError ? endOf(error) : null };
}

function endOf({ status, code }: ApiError): LinkEnd | null {
  if (goneStatuses.has(status)) return 'unusable';
  return endingCodes.has(code ?? '') ? 'not-linked' : null;
}

const pathOf = (token: string): string => `/api/verify/${encodeURIComponent(token)}`;

async function post<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  body: object,
  signal?: AbortSignal,
): Promise<z.output<Schema>> {
  const answer = await callApi({ method: 'POST', path, body, ...(signal === undefined ? {} : { signal }) });
  const data = dataIn(answer, schema);
  if (data === undefined) throw new Error(`${path} did not answer with what was asked for`);
  return data;
}

export const useLink = (token: string, isWhole: boolean) =>
  useQuery({
    enabled: isWhole,
    queryKey: [pathOf(token)],
    queryFn: ({ signal }) => readAnswer(pathOf(token), linkAnswer, signal),
    networkMode: 'always',
  });

/** POST /api/verify/{token}/message: what the wallet is to sign. */
export const askMessage = async (token: string, wallet: string): Promise<string> =>
  (await post(`${pathOf(token)}/message`, messageAnswer, { wallet })).message;

export const sendSignature = (token: string, wallet: string, signature: string): Promise<Outcome> =>
  post(`${pathOf(token)}/signature`, outcomeAnswer, { wallet, signature });

export const askProgress = (token: string, receipt: string, signal: AbortSignal): Promise<Progress> =>
  post(`${pathOf(token)}/outcome`, progressAnswer, { receipt }, signal);
