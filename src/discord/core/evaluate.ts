import type { HoldingAnswer } from '../../market/contract.ts';

/** What is known of a member's wallets together. */
export type MemberAnswer = HoldingAnswer['kind'];

export interface WalletLook {
  readonly answer: MemberAnswer;
  /** An admin vouched for it, and that has not ended. */
  readonly isAuthorized: boolean;
}

/**
 * Rulings R5, three-valued: one wallet that holds is enough, and an authorized one counts as holding; otherwise one that could
 * not be read leaves everything open. Without any wallet nothing is held.
 */
export function evaluate(looks: readonly WalletLook[]): MemberAnswer {
  if (looks.some(({ answer, isAuthorized }) => isAuthorized || answer === 'holds')) return 'holds';
  return looks.some(({ answer }) => answer === 'unknown') ? 'unknown' : 'does-not-hold';
}
