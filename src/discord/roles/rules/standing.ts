import type { MemberAnswer } from './findings.ts';

/** A member's state (rulings R5); the meaning of each is in migrations/0011-discord.sql. */
export type MemberStanding = 'none' | 'holder' | 'doubt' | 'grace' | 'braked' | 'kept';

export interface StandingState {
  readonly standing: MemberStanding;
  readonly firstNoAt: Date | null;
  readonly secondNoAt: Date | null;
  /** null in 'grace': not notified yet, the brake on mass removals decides first (removal-plan.ts). */
  readonly removalDueAt: Date | null;
}

export interface Look {
  readonly answer: MemberAnswer;
  /** What the answer is true of. */
  readonly lookedAt: Date;
  /** As Discord last said; null: not heard yet. */
  readonly hasRole: boolean | null;
}

export interface StandingStep {
  readonly state: StandingState;
  /** null: not because of the state. */
  readonly lookAgainAt: Date | null;
  /** Entitled to the role. */
  readonly wantsRole: boolean;
}

/** Rulings R5: removal needs two 'does not hold' at least so far apart. */
export const secondLookAfterMs = 10 * 60_000;

/** A state without a pending removal. */
export const nothingDue = (standing: MemberStanding): StandingState => ({
  standing,
  firstNoAt: null,
  secondNoAt: null,
  removalDueAt: null,
});

/** What one check changes. `unknown` never moves anything; the caller checks again. */
export function nextStanding(state: StandingState, look: Look): StandingStep {
  if (look.answer === 'holds') return { state: nothingDue('holder'), lookAgainAt: null, wantsRole: true };
  if (look.answer === 'unknown') return { state, lookAgainAt: null, wantsRole: false };
  return { ...afterNo(state, look), wantsRole: false };
}

function afterNo(state: StandingState, { lookedAt, hasRole }: Look): Omit<StandingStep, 'wantsRole'> {
  const stays = { state, lookAgainAt: null };
  switch (state.standing) {
    case 'none':
      return stays;
    case 'holder':
      return {
        state: { ...nothingDue('doubt'), firstNoAt: lookedAt },
        lookAgainAt: new Date(lookedAt.getTime() + secondLookAfterMs),
      };
    case 'doubt':
      return secondLook(state, lookedAt, hasRole);
    default:
      // Someone else has removed the role already.
      if (hasRole === false) return { state: nothingDue('none'), lookAgainAt: null };
      return state.standing === 'grace' && state.removalDueAt !== null && lookedAt < state.removalDueAt
        ? { state, lookAgainAt: state.removalDueAt }
        : stays;
  }
}

function secondLook(state: StandingState, lookedAt: Date, hasRole: boolean | null): Omit<StandingStep, 'wantsRole'> {
  const firstNoAt = state.firstNoAt ?? lookedAt;
  const secondLookAt = new Date(firstNoAt.getTime() + secondLookAfterMs);
  if (lookedAt < secondLookAt) return { state: { ...state, firstNoAt }, lookAgainAt: secondLookAt };
  if (hasRole === false) return { state: nothingDue('none'), lookAgainAt: null };
  return { state: { standing: 'grace', firstNoAt, secondNoAt: lookedAt, removalDueAt: null }, lookAgainAt: null };
}
