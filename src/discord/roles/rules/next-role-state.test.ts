import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type RoleState, nextRoleState, nothingDue, secondCheckAfterMs, type RoleRecord } from './decide.ts';
import { evaluate, type MemberAnswer } from './findings.ts';

const start = new Date('2026-11-20T12:00:00Z');
const at = (minutes: number): Date => new Date(start.getTime() + minutes * 60_000);
const doubtSince = (minutes: number): RoleRecord => ({ ...nothingDue('doubt'), firstNoAt: at(minutes) });
const graceUntil = (removalDueAt: Date | null): RoleRecord => ({
  roleState: 'grace',
  firstNoAt: at(-20),
  secondNoAt: at(-10),
  removalDueAt,
});
const states: readonly RoleRecord[] = [
  nothingDue('none'),
  nothingDue('holder'),
  doubtSince(-3),
  graceUntil(null),
  graceUntil(at(30)),
  { ...graceUntil(null), roleState: 'braked' },
  { ...graceUntil(null), roleState: 'kept' },
];

describe('The three answers (rulings R5)', () => {
  const held = { answer: 'holds', isAuthorized: false } as const;
  const not = { answer: 'does-not-hold', isAuthorized: false } as const;
  const open = { answer: 'unknown', isAuthorized: false } as const;
  it.each([
    { wallets: [], answer: 'does-not-hold' },
    { wallets: [not, not], answer: 'does-not-hold' },
    { wallets: [not, held], answer: 'holds' },
    { wallets: [open, held], answer: 'holds' },
    { wallets: [not, open], answer: 'unknown' },
    { wallets: [{ ...not, isAuthorized: true }], answer: 'holds' },
    { wallets: [{ ...open, isAuthorized: true }, not], answer: 'holds' },
  ])('$wallets: $answer', ({ wallets, answer }) => {
    expect(evaluate(wallets)).toBe(answer);
  });
});

describe('The state of a member after a check', () => {
  it.each(states)("'unknown' changes nothing: $roleState", (state) => {
    const step = nextRoleState(state, { answer: 'unknown', asOf: at(60), hasRole: true });
    expect(step).toEqual({ state, checkAgainAt: null, isEntitled: false });
  });

  it.each(states)("'holds' ends every doubt: $roleState", (state) => {
    const step = nextRoleState(state, { answer: 'holds', asOf: at(60), hasRole: true });
    expect(step).toEqual({ state: nothingDue('holder'), checkAgainAt: null, isEntitled: true });
  });

  it.each([
    { from: nothingDue('none'), to: 'none', again: null },
    { from: nothingDue('holder'), to: 'doubt', again: at(10) },
    { from: doubtSince(-9.9), to: 'doubt', again: at(0.1) },
    { from: doubtSince(-10), to: 'grace', again: null },
    { from: graceUntil(null), to: 'grace', again: null },
    { from: graceUntil(at(30)), to: 'grace', again: at(30) },
    { from: graceUntil(at(-1)), to: 'grace', again: null },
    { from: { ...graceUntil(null), roleState: 'braked' } as const, to: 'braked', again: null },
    { from: { ...graceUntil(null), roleState: 'kept' } as const, to: 'kept', again: null },
  ])("'does not hold': $from.roleState becomes $to", ({ from, to, again }) => {
    const step = nextRoleState(from, { answer: 'does-not-hold', asOf: at(0), hasRole: true });
    expect(step.state.roleState).toBe(to);
    expect(step.checkAgainAt).toEqual(again);
  });

  it('a member who no longer has the role has nothing to lose', () => {
    for (const state of [doubtSince(-10), graceUntil(null), graceUntil(at(5))]) {
      const { state: next } = nextRoleState(state, { answer: 'does-not-hold', asOf: at(0), hasRole: false });
      expect(next).toEqual(nothingDue('none'));
    }
  });

  it('a member whom an admin let keep the role stays so without it: another role may be chosen for a while', () => {
    const kept = { ...graceUntil(null), roleState: 'kept' } as const;
    expect(nextRoleState(kept, { answer: 'does-not-hold', asOf: at(0), hasRole: false }).state).toEqual(kept);
  });

  it('only two negative checks ten minutes apart, with no positive one between them, lead from holder to removal', () => {
    const look = fc.record({
      answer: fc.constantFrom<MemberAnswer>('holds', 'does-not-hold', 'unknown'),
      afterMs: fc.integer({ min: 1, max: 15 * 60_000 }),
      hasRole: fc.constantFrom(true, null),
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 30 }), (looks) => {
        let state = nothingDue('holder');
        let nowMs = start.getTime();
        let negativesMs: number[] = [];
        for (const { answer, afterMs, hasRole } of looks) {
          nowMs += afterMs;
          const before: RoleState = state.roleState;
          ({ state } = nextRoleState(state, { answer, asOf: new Date(nowMs), hasRole }));
          if (answer === 'holds') negativesMs = [];
          if (answer === 'does-not-hold') negativesMs.push(nowMs);
          if (answer === 'unknown') expect(state.roleState).toBe(before);
          if (state.roleState !== 'grace') continue;
          const [first = Number.NaN] = negativesMs;
          expect(negativesMs.length).toBeGreaterThanOrEqual(2);
          expect((state.secondNoAt?.getTime() ?? 0) - first).toBeGreaterThanOrEqual(secondCheckAfterMs);
        }
      }),
      { numRuns: 500 },
    );
  });
});
