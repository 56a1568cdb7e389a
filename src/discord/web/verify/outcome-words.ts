import type { Outcome } from './verify-calls.ts';

const titles: Readonly<Record<NonNullable<Outcome['outcome']>, string>> = {
  'role-coming': 'The role is on its way',
  'not-holding': 'Linked, but nothing found',
  unknown: 'Your wallet is linked',
  'not-set-up': 'Linked; the server is not ready yet',
};

/** Whether there is a role comes first, whatever else is to be said. */
export const outcomeTitle = (outcome: Outcome['outcome'], isGiven: boolean): string =>
  isGiven ? 'You have the role' : titles[outcome ?? 'unknown'];

/**
 * The server's sentences are the rule, what was found in each wallet and what follows, as /why tells them. Whoever has just signed
 * wants to see what was found: the rule comes last.
 */
export function inReadingOrder(sentences: readonly string[] | null): readonly string[] {
  const [rule, ...others] = sentences ?? [];
  return rule === undefined ? [] : [...others, rule];
}
