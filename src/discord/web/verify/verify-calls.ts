import { useQuery } from '@tanstack/react-query';
import { ApiError, callApi } from '../../../web/api-client.ts';
import { failureText } from '../../../web/failure-text.ts';
import type { VerificationAnswer, VerifyOutcomeAnswer, VerifyProgressAnswer } from '../../verify-contract.ts';

export type Link = VerificationAnswer['data'];
export type Outcome = VerifyOutcomeAnswer['data'];
export type Progress = VerifyProgressAnswer['data'];

/** What a call says when it does not come to what was asked. */
export interface CallTrouble {
  readonly sentence: string;
  /** Nothing more can be done with this link; null: it may be tried again. */
  readonly over: LinkEnd | null;
}

/** Whether the link itself is what is wrong, or it was used up by a wallet that could not be linked. */
export type LinkEnd = 'unusable' | 'not-linked';

const goneStatuses: ReadonlySet<number> = new Set([404, 410]);
/** The link is used up by them, and what stands in the way is another thing. */
const endingCodes: ReadonlySet<string> = new Set(['wallet-taken', 'too-many-wallets', 'chain-unavailable']);

export function troubleOf(error: unknown): CallTrouble {
  return { sentence: failureText(error), over: error instanceof ApiError ? endOf(error) : null };
}

function endOf(error: ApiError): LinkEnd | null {
  if (goneStatuses.has(error.status)) return 'unusable';
  return endingCodes.has(codeOf(error)) ? 'not-linked' : null;
}

const codeOf = ({ body }: ApiError): string => {
  try {
    return String((JSON.parse(body) as { code?: unknown }).code);
  } catch {
    return '';
  }
};

const pathOf = (token: string): string => `/api/verify/${encodeURIComponent(token)}`;

async function dataOf<Data>(call: Parameters<typeof callApi>[0]): Promise<Data> {
  const answer = (await callApi(call)) as { data?: Data } | null;
  if (answer?.data === undefined) throw new Error(`${call.path} answered without data`);
  return answer.data;
}

/** GET /api/verify/{token}. */
export const useLink = (token: string, isWhole: boolean) =>
  useQuery({
    enabled: isWhole,
    queryKey: [pathOf(token)],
    queryFn: ({ signal }) => dataOf<Link>({ path: pathOf(token), signal }),
    networkMode: 'always',
  });

/** POST /api/verify/{token}/message: what the wallet is to sign. */
export const askMessage = async (token: string, wallet: string): Promise<string> =>
  (await dataOf<{ message: string }>({ method: 'POST', path: `${pathOf(token)}/message`, body: { wallet } })).message;

/** POST /api/verify/{token}/signature. */
export const sendSignature = (token: string, wallet: string, signature: string): Promise<Outcome> =>
  dataOf({ method: 'POST', path: `${pathOf(token)}/signature`, body: { wallet, signature } });

/** POST /api/verify/{token}/outcome. */
export const askProgress = (token: string, receipt: string, signal: AbortSignal): Promise<Progress> =>
  dataOf({ method: 'POST', path: `${pathOf(token)}/outcome`, body: { receipt }, signal });
