import type { AlarmRule, Facts } from './alarm.ts';

/** Each is an alarm of its own, so that one that is known does not hide another. */
const prefix = 'payout-';
const minuteMs = 60_000;

/** A rule for each payment that is not in its plan, and for each that was reported and is no more. `stored`: alarms that are kept. */
export function payoutRules({ payoutProblems }: Facts, stored: Iterable<string>): readonly AlarmRule[] {
  if (payoutProblems === null) return [];
  const known = new Set(payoutProblems.map(({ key }) => prefix + key));
  const over = [...stored].filter((alarm) => alarm.startsWith(prefix) && !known.has(alarm));
  return [
    ...payoutProblems.map(({ key, since, what }) => ruleOf(prefix + key, since, what)),
    ...over.map((alarm) => ruleOf(alarm, null, '')),
  ];
}

const ruleOf = (alarm: string, since: Date | null, what: string): AlarmRule => ({
  alarm,
  settleMs: minuteMs,
  see: () => (since === null ? { kind: 'well' } : { kind: 'failing', since }),
  what: () => what,
  meaning: 'The page of the payout shows it. Nothing of it is paid again by this product.',
  look: "The tab 'Payouts' and an explorer have the transaction. If nobody of the team made it, somebody else has a key of the treasury: move what is in it.",
  over: 'A payment that was in no plan is explained now.',
});
