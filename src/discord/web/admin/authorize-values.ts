import { canonicalWallet } from '../../../shared/sui-address.ts';

/** What the dialog holds, as typed. */
export interface AuthorizeForm {
  readonly wallet: string;
  readonly reason: string;
  /** `2026-12-31`; empty: without an end. */
  readonly lastDay: string;
}

/** The end of that day (UTC). null: there is none, or it is no day. */
export function endOf(lastDay: string): string | null {
  const end = Date.parse(`${lastDay}T23:59:59.999Z`);
  return lastDay === '' || Number.isNaN(end) ? null : new Date(end).toISOString();
}

type FieldProblems = Readonly<Partial<Record<keyof AuthorizeForm, string>>>;

export function problemsOf({ wallet, reason, lastDay }: AuthorizeForm, nowMs: number): FieldProblems {
  const end = endOf(lastDay);
  return {
    ...walletProblem(wallet.trim()),
    ...(reason.trim() === '' ? { reason: 'Give a reason.' } : {}),
    ...(end !== null && Date.parse(end) <= nowMs
      ? { lastDay: 'This day is in the past. Choose a later one or leave it empty.' }
      : {}),
  };
}

function walletProblem(wallet: string): FieldProblems {
  if (wallet === '') return { wallet: 'Enter the wallet address.' };
  return canonicalWallet(wallet) === null
    ? { wallet: 'A Sui address is 0x followed by 64 characters, each 0–9 or a–f.' }
    : {};
}

/** POST /api/discord/guilds/{guildId}/wallets. */
export const bodyOf = ({ wallet, reason, lastDay }: AuthorizeForm) => ({
  wallet: wallet.trim(),
  reason: reason.trim(),
  expiresAt: endOf(lastDay),
});
