import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brakeVerdict,
  isMassRemoval,
  type PlannedMember,
  planRemovals,
  type RemovalSituation,
} from './removal-plan.ts';

const now = new Date('2026-11-20T12:00:00Z');
const minutes = (count: number): Date => new Date(now.getTime() + count * 60_000);
const leaving = (number: number, given: Partial<PlannedMember> = {}): PlannedMember => ({
  userId: String(number),
  roleState: 'grace',
  hasRole: true,
  secondNoAt: minutes(-1),
  removalDueAt: null,
  answer: 'does-not-hold',
  answeredAt: minutes(-1),
  removalCause: null,
  ...given,
});
const many = (count: number, given: Partial<PlannedMember> = {}): readonly PlannedMember[] =>
  Array.from({ length: count }, (_none, index) => leaving(index, given));
const plan = (members: readonly PlannedMember[], given: Partial<RemovalSituation> = {}) =>
  planRemovals({ members, isWaiting: false, doneLastHour: 0, inDoubt: 0, roleHolders: 200, now, ...given });

describe('The brake on mass removals: more than 10 and more than 20 % (rulings R5)', () => {
  it.each([
    { leaving: 10, inDoubt: 0, doneLastHour: 0, roleHolders: 10, verdict: 'go' },
    { leaving: 11, inDoubt: 0, doneLastHour: 0, roleHolders: 54, verdict: 'brake' },
    { leaving: 11, inDoubt: 0, doneLastHour: 0, roleHolders: 55, verdict: 'go' },
    { leaving: 1, inDoubt: 0, doneLastHour: 10, roleHolders: 40, verdict: 'brake' },
    { leaving: 1, inDoubt: 0, doneLastHour: 9, roleHolders: 40, verdict: 'go' },
    { leaving: 1, inDoubt: 10, doneLastHour: 0, roleHolders: 50, verdict: 'wait' },
    { leaving: 1, inDoubt: 9, doneLastHour: 0, roleHolders: 50, verdict: 'go' },
    { leaving: 1, inDoubt: 1, doneLastHour: 9, roleHolders: 40, verdict: 'wait' },
    { leaving: 0, inDoubt: 0, doneLastHour: 0, roleHolders: 0, verdict: 'go' },
  ])('$leaving leaving, $inDoubt in doubt, $doneLastHour done, $roleHolders with the role: $verdict', (given) => {
    expect(brakeVerdict(given)).toBe(given.verdict);
  });

  it('never lets more than 10 and more than a fifth go in one hour, however they are split', () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 300 }), (counts, holdersAtFirst) => {
        let done = 0;
        for (const count of counts) {
          const roleHolders = holdersAtFirst - done;
          const leavingCount = Math.min(count, roleHolders);
          const verdict = brakeVerdict({ leaving: leavingCount, inDoubt: 0, doneLastHour: done, roleHolders });
          if (verdict === 'go') done += leavingCount;
          expect(isMassRemoval(done, holdersAtFirst)).toBe(false);
        }
      }),
    );
  });
});

describe('What happens to the removals of a server', () => {
  it('a few are announced, then removed once a check after the grace says no again', () => {
    expect(plan(many(3)).announce).toHaveLength(3);
    expect(plan([leaving(1, { removalDueAt: minutes(-1) })]).remove).toEqual(['1']);
    expect(plan([leaving(1, { removalDueAt: minutes(-1), answeredAt: minutes(-2) })]).remove).toEqual([]);
    expect(plan([leaving(1, { removalDueAt: minutes(5) })]).remove).toEqual([]);
  });

  it('a member whose last check says anything but no is left alone', () => {
    const plans = [plan([leaving(1, { answer: 'unknown' })]), plan([leaving(1, { answer: 'holds' })])];
    for (const { announce, remove, brake } of plans) expect([announce, remove, brake]).toEqual([[], [], []]);
  });

  it('many are stopped, whether notified or not', () => {
    const told = leaving(98, { removalDueAt: minutes(-1), removalCause: 'not-holding' });
    const { brake, announce, remove } = plan([...many(11), told], { roleHolders: 40 });
    expect(brake).toHaveLength(12);
    expect(brake).toContain('98');
    expect([announce, remove]).toEqual([[], []]);
  });

  it('members in a long grace are counted when they are notified, and again when it ends', () => {
    const inGrace = many(15, { secondNoAt: minutes(-600), removalDueAt: minutes(60) });
    expect(plan([...inGrace, leaving(50)], { roleHolders: 40 }).announce).toEqual(['50']);
    const due = many(15, { secondNoAt: minutes(-600), removalDueAt: minutes(-2) });
    expect(plan(due, { roleHolders: 40 }).brake).toHaveLength(15);
  });

  it('members notified within the hour count together with those who follow', () => {
    const told = many(10, { secondNoAt: minutes(-59), removalDueAt: minutes(60) });
    expect(plan([...told, leaving(50)], { roleHolders: 40 }).brake).toHaveLength(11);
    const earlier = many(10, { secondNoAt: minutes(-60), removalDueAt: minutes(60) });
    expect(plan([...earlier, leaving(50)], { roleHolders: 40 })).toMatchObject({ brake: [], announce: ['50'] });
  });

  it('removals wait half an hour for members in doubt, then for an admin', () => {
    const doubtful = { inDoubt: 11, roleHolders: 36 };
    expect(plan([leaving(1)], doubtful)).toMatchObject({ announce: [], brake: [] });
    expect(plan([leaving(1, { secondNoAt: minutes(-30) })], doubtful).brake).toEqual(['1']);
    const inQueue = { secondNoAt: minutes(-30), removalCause: 'not-holding' } as const;
    expect(plan([leaving(1, inQueue)], doubtful).brake).toEqual([]);
    const due = { secondNoAt: minutes(-600), removalDueAt: minutes(-29) };
    expect(plan([leaving(1, due)], doubtful)).toMatchObject({ remove: [], brake: [] });
  });

  it('a batch stays open while members in doubt could make it large enough again', () => {
    const left = many(10, { roleState: 'braked' });
    expect(plan(left, { inDoubt: 1, roleHolders: 40, isWaiting: true })).toMatchObject({
      release: [],
      isObsolete: false,
    });
  });

  it('removals that an admin approved are not stopped again', () => {
    const approved = many(30, { removalCause: 'approved' });
    expect(plan(approved, { roleHolders: 40 })).toMatchObject({ brake: [], remove: [], announce: [] });
  });

  it('members who follow while a batch waits join it', () => {
    const braked = many(12, { roleState: 'braked' });
    const next = leaving(77);
    expect(plan([...braked, next], { roleHolders: 40, isWaiting: true })).toMatchObject({
      brake: ['77'],
      announce: [],
    });
  });

  it('a batch ends when so few are left that they would not have been stopped', () => {
    const left = many(10, { roleState: 'braked' });
    expect(plan(left, { roleHolders: 40, isWaiting: true })).toMatchObject({ isObsolete: true, brake: [] });
    expect(plan(left, { roleHolders: 40, isWaiting: true }).release).toHaveLength(10);
  });

  it('a batch ends when it is empty, however many members lost the role before it began', () => {
    const gone = [leaving(1, { roleState: 'braked', hasRole: false })];
    expect(plan(gone, { isWaiting: true, doneLastHour: 30, roleHolders: 40 })).toMatchObject({
      isObsolete: true,
      gone: ['1'],
    });
    const doubtful = { isWaiting: true, doneLastHour: 30, inDoubt: 1, roleHolders: 40 };
    expect(plan(gone, doubtful)).toMatchObject({ isObsolete: false });
  });

  it('members who lost the role in the hour before a batch began count towards it, and as role holders', () => {
    const batch = { isWaiting: true, doneLastHour: 6 };
    expect(plan(many(5, { roleState: 'braked' }), { ...batch, roleHolders: 40 }).release).toEqual([]);
    expect(plan(many(5, { roleState: 'braked' }), { ...batch, roleHolders: 49 }).release).toHaveLength(5);
  });

  it('a failed removal is not planned again', () => {
    const failed = leaving(1, { removalDueAt: minutes(-1), removalCause: 'not-holding' });
    expect(plan([failed]).remove).toEqual([]);
  });

  it('a member whose role is gone has nothing to lose', () => {
    expect(plan([leaving(1, { hasRole: false })])).toMatchObject({ gone: ['1'], announce: [] });
  });
});
