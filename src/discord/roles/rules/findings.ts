import type { HeldNft, HoldingAnswer } from '../../../market/contract.ts';

/** The combined answer for a member's wallets. */
export type MemberAnswer = HoldingAnswer['kind'];

/** Per member and server: as many as /wallets has buttons for. Wallets already linked stay, even above this. */
export const walletsMax = 20;

interface CheckedWallet {
  readonly answer: MemberAnswer;
  /** An admin authorized it, and the authorization has not ended. */
  readonly isAuthorized: boolean;
}

/**
 * Rulings R5, three-valued: one wallet that holds is enough, and an authorized one counts as holding; otherwise an unreadable one makes
 * the answer unknown. Without any wallet nothing is held.
 */
export function evaluate(wallets: readonly CheckedWallet[]): MemberAnswer {
  if (wallets.some(({ answer, isAuthorized }) => isAuthorized || answer === 'holds')) return 'holds';
  return wallets.some(({ answer }) => answer === 'unknown') ? 'unknown' : 'does-not-hold';
}

/** What a check found in one wallet, as stored for /why: counts, no pieces. */
export interface WalletFinding {
  readonly wallet: string;
  readonly answer: MemberAnswer;
  readonly pieces: PieceCounts | null;
  /** How many kiosks were read, if nothing was found; null: not known. */
  readonly kioskCount: number | null;
  /** Why it is unknown: a stable code. */
  readonly reason: string | null;
}

export interface PieceCounts {
  readonly inWallet: number;
  readonly inKiosks: number;
  /** In how many kiosks those are. */
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
      return { wallet, answer: 'holds', pieces: countPieces(answer.nfts), kioskCount: null, reason: null };
    case 'does-not-hold':
      return { wallet, answer: 'does-not-hold', pieces: null, kioskCount: answer.kioskCount, reason: null };
    default:
      return { wallet, answer: 'unknown', pieces: null, kioskCount: null, reason: answer.reason };
  }
}

function countPieces(nfts: readonly HeldNft[]): PieceCounts {
  const at = (place: HeldNft['place']): number => nfts.filter((nft) => nft.place === place).length;
  const kiosks = new Set(nfts.flatMap(({ kioskId }) => (kioskId === null ? [] : [kioskId])));
  return {
    inWallet: at('wallet'),
    inKiosks: at('kiosk'),
    kiosks: kiosks.size,
    atMarketplace: at('marketplace'),
    listed: nfts.filter(({ isListed }) => isListed).length,
  };
}

/** A full node may lag behind the marketplace's event: delays of the checks that follow it. */
const followUpsMs = [10_000, 30_000, 120_000] as const;
/** Why a member is checked. `due`: an older version wrote a word that is not known here. */
const causes = [
  'bought',
  'sold',
  'traded',
  'joined',
  'verified',
  'unlinked',
  'authorized',
  'authorization-ended',
  'asked',
  'asked-by-admin',
  'second-look',
  'sweep',
  'before-grant',
  'before-removal',
  'role-chosen',
  'role-doubted',
  'role-missing',
  'due',
] as const;
type Cause = (typeof causes)[number];
/** As stored in a row: `bought`, or `bought-2` for the second check after the purchase. */
export type CheckCause = Cause | `${'bought' | 'sold' | 'traded'}-${1 | 2 | 3 | 4}`;
export const tradeCause = /^(bought|sold|traded)(?:-([1-4]))?$/;

const isCheckCause = (text: string): text is CheckCause =>
  tradeCause.test(text) || causes.some((cause) => cause === text);

/** What a row says, which an older version may have written. */
export const readCause = (text: string): CheckCause => (isCheckCause(text) ? text : 'due');

/** Why a role is given (the cause of the check) or removed. */
export type RoleCause = Cause | 'not-holding' | 'approved' | 'data-deleted';

const firstUnknownMs = 10_000;
const longestUnknownMs = 5 * 60_000;

interface FollowUp {
  readonly afterMs: number;
  readonly cause: CheckCause;
}

/** If the check after an event did not find what the event says: when to check again. null: no further check is needed. */
export function followUp(cause: CheckCause, answer: MemberAnswer): FollowUp | null {
  const [, kind, number = '1'] = tradeCause.exec(cause) ?? [];
  if (kind === undefined || answer === 'unknown') return null;
  // A seller may keep others, and a buyer of one may be the seller of another: these checks are few and cost little.
  const isAsExpected = (kind === 'bought' && answer === 'holds') || (kind === 'sold' && answer === 'does-not-hold');
  const afterMs = followUpsMs[Number(number) - 1];
  return isAsExpected || afterMs === undefined ? null : { afterMs, cause: readCause(`${kind}-${Number(number) + 1}`) };
}

/** The event that caused a check, for people: `bought-2` becomes `bought`. */
export const plainCause = (cause: CheckCause): Cause =>
  causes.find((each) => each === (tradeCause.exec(cause)?.[1] ?? cause)) ?? 'due';

/** Pause after an unreadable result: as long as it has been unreadable, between 10 seconds and 5 minutes. */
export const unknownPauseMs = (unknownForMs: number): number =>
  Math.min(longestUnknownMs, Math.max(firstUnknownMs, unknownForMs));

/** Only the operator can fix it: the hourly sweep is soon enough. */
export const isConfigurationProblem = (reason: string | null): boolean => reason === 'marketplace-key-missing';
