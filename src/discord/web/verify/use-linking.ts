import type { WalletAccount } from '@mysten/wallet-standard';
import { useEffect, useRef } from 'react';
import { shortAddress } from '../../../shared/sui-address.ts';
import {
  connectWallet,
  notOnNetwork,
  signMessage,
  type SuiWallet,
  useWalletSteps,
} from '../../../ui/wallets/sui-wallets.tsx';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { flag, oneOf, readAnswer, rows, text, time } from '../../../ui/api/answer-schema.ts';
import { ApiError, failureText } from '../../../ui/api/api-client.ts';

export type Linking = ReturnType<typeof useLinking>;

/** Rulings R5: connect a wallet, ask for the message, have it signed, submit the signature. */
export function useLinking(token: string, network: string | null) {
  const { step, problem, go, startOver } = useWalletSteps<Step>({ kind: 'choose-wallet' });
  /** A call failed: either the link is over, or another wallet may be tried. */
  const failed = (error: unknown): void => {
    const { sentence, over: end } = linkProblemOf(error);
    if (end === null) startOver(sentence);
    else go({ kind: 'over', end, sentence });
  };

  const chooseWallet = async (wallet: SuiWallet): Promise<void> => {
    const isCurrent = go({ kind: 'connecting', wallet });
    const answer = await connectWallet(wallet);
    if (!isCurrent()) return;
    if (!answer.ok) return startOver(answer.problem);
    const [only, ...others] = answer.value;
    if (only !== undefined && others.length === 0) await chooseAccount({ wallet, account: only });
    else go({ kind: 'choose-account', wallet, accounts: answer.value });
  };
  const chooseAccount = async ({ wallet, account }: Chosen): Promise<void> => {
    const elsewhere = notOnNetwork(wallet, account, network);
    if (elsewhere !== null) return startOver(elsewhere);
    const isCurrent = go({ kind: 'preparing', wallet, account });
    try {
      const message = await askMessage(token, account.address);
      if (isCurrent()) go({ kind: 'ready', wallet, account, message });
    } catch (error) {
      if (isCurrent()) failed(error);
    }
  };
  const sign = async (): Promise<void> => {
    if (step.kind !== 'ready') return;
    const isWaiting = go({ ...step, kind: 'signing' });
    const signed = await signMessage(step.wallet, step.account, step.message);
    if (!isWaiting()) return;
    if (!signed.ok) return void go(step, signed.problem);
    go({ ...step, kind: 'checking' });
    try {
      go({ kind: 'done', outcome: await sendSignature(token, step.account.address, signed.value) });
    } catch (error) {
      // Each message is checked once: a retry needs another message.
      failed(error);
    }
  };

  useGoneAccount(step, ({ wallet, account: { address } }) =>
    startOver(`${wallet.name} no longer shows the account ${shortAddress(address)}. Choose the wallet again.`),
  );
  // `startOver`: back to the wallets; later answers of a wallet are ignored.
  return { step, problem, chooseWallet, chooseAccount, sign, startOver: () => startOver() };
}

/** An account that its wallet withdraws before signing can no longer sign. */
function useGoneAccount(step: Step, onGone: (chosen: Chosen) => void): void {
  const latest = useRef(onGone);
  useEffect(() => {
    latest.current = onGone;
  });
  const isChosen = step.kind === 'ready' || step.kind === 'preparing';
  const wallet: SuiWallet | null = isChosen ? step.wallet : null;
  const account: WalletAccount | null = isChosen ? step.account : null;
  useEffect(() => {
    if (wallet === null || account === null) return undefined;
    return wallet.features['standard:events']?.on('change', ({ accounts }) => {
      const isThere = accounts === undefined || accounts.some(({ address }) => address === account.address);
      if (!isThere) latest.current({ wallet, account });
    });
  }, [wallet, account]);
}

interface Chosen {
  readonly wallet: SuiWallet;
  readonly account: WalletAccount;
}

/** The member's current step; each one leads to another. */
export type Step =
  | { readonly kind: 'choose-wallet' }
  | { readonly kind: 'connecting'; readonly wallet: SuiWallet }
  | { readonly kind: 'choose-account'; readonly wallet: SuiWallet; readonly accounts: readonly WalletAccount[] }
  | (Chosen & { readonly kind: 'preparing' })
  | (Chosen & { readonly kind: 'ready' | 'signing' | 'checking'; readonly message: string })
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'over'; readonly end: LinkEnd; readonly sentence: string };

/** What the page reads of the calls of /verify in members-contract.ts. */
export const linkAnswer = z.object({
  guildName: text,
  memberName: text,
  nftName: text,
  network: text,
  expiresAt: time,
});
const messageAnswer = z.object({ message: z.string() });
const outcomeFields = {
  outcome: oneOf('role-coming', 'not-holding', 'unknown', 'not-set-up'),
  sentences: rows(z.string()),
};
export const outcomeAnswer = z.object({ ...outcomeFields, wallet: text, receipt: text });
const progressAnswer = z.object({ ...outcomeFields, isGiven: flag });

export type Link = z.infer<typeof linkAnswer>;
export type Outcome = z.infer<typeof outcomeAnswer>;
type Progress = z.infer<typeof progressAnswer>;

interface CallTrouble {
  readonly sentence: string;
  /** How the link ended; null: it may be retried. */
  readonly over: LinkEnd | null;
}

/** Whether the link itself is wrong, or it was used up by a wallet that could not be linked. */
export type LinkEnd = 'unusable' | 'not-linked';

const goneStatuses: ReadonlySet<number> = new Set([404, 410]);
/** These use up the link, although nothing is wrong with the link itself. */
const endingCodes: ReadonlySet<string> = new Set(['wallet-taken', 'too-many-wallets']);

export const linkProblemOf = (error: unknown): CallTrouble => ({
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
  });

const posted = (token: string, to: string, body: object) =>
  ({ method: 'POST', path: `${pathOf(token)}/${to}`, body }) as const;

const askMessage = async (token: string, wallet: string): Promise<string> =>
  (await readAnswer(posted(token, 'message', { wallet }), messageAnswer)).message;

const sendSignature = (token: string, wallet: string, signature: string): Promise<Outcome> =>
  readAnswer(posted(token, 'signature', { wallet, signature }), outcomeAnswer);

/** The role may still be given: it is on its way, or it is not known yet what the member holds. */
const isOpen = (outcome: Outcome['outcome']): boolean =>
  outcome === null || outcome === 'role-coming' || outcome === 'unknown';

/** Pauses between requests; after the last one the page stops asking. */
const pausesMs = [1_000, 1_000, 2_000, 3_000, 5_000, 8_000, 13_000, 21_000, 34_000] as const;

/** Follows the outcome while the page is open, less and less often. `isFollowed`: the role may still come. */
export function useProgress(token: string, { outcome, receipt }: Outcome) {
  const isOver = (progress: Progress | undefined, error: Error | null): boolean =>
    receipt === null ||
    progress?.isGiven === true ||
    !isOpen((progress ?? { outcome }).outcome) ||
    (error !== null && linkProblemOf(error).over !== null);
  const { data, error } = useQuery({
    enabled: !isOver(undefined, null),
    queryKey: [pathOf(token), receipt],
    queryFn: ({ signal }) => readAnswer({ ...posted(token, 'outcome', { receipt }), signal }, progressAnswer),
    refetchInterval: ({ state: { data, error, dataUpdateCount, errorUpdateCount } }) =>
      !isOver(data, error) && (pausesMs[dataUpdateCount + errorUpdateCount] ?? false),
    refetchIntervalInBackground: true,
  });
  return { progress: data ?? null, isFollowed: !isOver(data, error) };
}
