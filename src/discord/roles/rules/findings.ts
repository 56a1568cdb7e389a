import type { HeldPiece, HoldingAnswer } from '../../../market/contract.ts';

/** The combined answer for a member's wallets. */
export type MemberAnswer = HoldingAnswer['kind'];

export interface WalletLook {
  readonly answer: MemberAnswer;
  /** An admin vouched for it, and that has not ended. */
  readonly isAuthorized: boolean;
}

/**
 * Rulings R5, three-valued: one wallet that holds is enough, and an authorized one counts as holding; otherwise an unreadable one
 * leaves everything open. Without any wallet nothing is held.
 */
export function evaluate(looks: readonly WalletLook[]): MemberAnswer {
  if (looks.some(({ answer, isAuthorized }) => isAuthorized || answer === 'holds')) return 'holds';
  return looks.some(({ answer }) => answer === 'unknown') ? 'unknown' : 'does-not-hold';
}

/** What a check found in one wallet, as stored for /why: counts, no pieces. */
export interface WalletFinding {
  readonly wallet: string;
  readonly answer: MemberAnswer;
  readonly pieces: PieceCounts | null;
  /** How many kiosks were read; null: unknown. */
  readonly kioskCount: number | null;
  /** Why it is unknown: a stable code. */
  readonly reason: string | null;
}

export interface PieceCounts {
  readonly inWallet: number;
  readonly inKiosks: number;
  /** In how many kiosks those lie. */
  readonly kiosks: number;
  readonly atMarketplace: number;
  readonly listed: number;
}

/** `discord_members.explanation`. */
export interface Findings {
  /** What was checked for: findings for something else do not count. */
  readonly nftType: string;
  /** Since when the answers are 'unknown' (ISO); null: the last one was not. */
  readonly unknownSince: string | null;
  readonly wallets: readonly WalletFinding[];
}

export function findingOf(wallet: string, answer: HoldingAnswer): WalletFinding {
  switch (answer.kind) {
    case 'holds':
      return {
        wallet,
        answer: 'holds',
        pieces: countPieces(answer.pieces),
        kioskCount: answer.kioskCount,
        reason: null,
      };
    case 'does-not-hold':
      return { wallet, answer: 'does-not-hold', pieces: null, kioskCount: answer.kioskCount, reason: null };
    default:
      return { wallet, answer: 'unknown', pieces: null, kioskCount: null, reason: answer.reason };
  }
}

function countPieces(pieces: readonly HeldPiece[]): PieceCounts {
  const at = (place: HeldPiece['place']): number => pieces.filter((piece) => piece.place === place).length;
  const kiosks = new Set(pieces.flatMap(({ kioskId }) => (kioskId === null ? [] : [kioskId])));
  return {
    inWallet: at('wallet'),
    inKiosks: at('kiosk'),
    kiosks: kiosks.size,
    atMarketplace: at('marketplace'),
    listed: pieces.filter(({ isListed }) => isListed).length,
  };
}
