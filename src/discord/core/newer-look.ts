import type { MemberAnswer } from './evaluate.ts';

interface LookedAtMember {
  readonly answer: MemberAnswer | null;
  readonly answeredAt: Date | null;
  readonly findings: { readonly nftType: string } | null;
}

interface OlderLook {
  /** Canonical: what was looked for. */
  readonly nftType: string;
  readonly answer: MemberAnswer;
  /** What its oldest part is true of, on the clock of `answeredAt`. */
  readonly trueAt: Date;
}

/**
 * An owner table may be a minute old: what a look at the wallets themselves has found since then is not undone by it. Whoever
 * sold a moment ago would else count as a holder until the next sweep, and whoever bought would be in doubt.
 */
export const isOutdated = (member: LookedAtMember, { nftType, answer, trueAt }: OlderLook): boolean =>
  member.answeredAt !== null &&
  member.answeredAt > trueAt &&
  member.findings?.nftType === nftType &&
  member.answer !== 'unknown' &&
  member.answer !== answer;
