import type { MemberAnswer } from './evaluate.ts';

/** Whoever has just linked a wallet, as far as they were looked at. null: not yet. */
interface LookedAt {
  readonly answer: MemberAnswer | null;
  readonly wallets: readonly { readonly answer: MemberAnswer | null }[];
}

/** What a verification has come to, as its page says it. */
export type VerificationOutcome = 'role-coming' | 'not-holding' | 'unknown' | 'not-set-up';

/** That nothing is held is only said once every wallet was looked at: the answer may be one of before the last was linked. */
export function verificationOutcome({ answer, wallets }: LookedAt, isSetUp: boolean): VerificationOutcome {
  if (!isSetUp) return 'not-set-up';
  if (answer === 'holds') return 'role-coming';
  const isLookedThrough = wallets.every((wallet) => wallet.answer !== null);
  return answer === 'does-not-hold' && isLookedThrough ? 'not-holding' : 'unknown';
}
