import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { decide, type DecidedMember, nothingDue } from './decide.ts';
import { roleVerdict } from './role-verdict.ts';
import { isMassRemoval, type PlannedMember, planRemovals } from './removal-plan.ts';
import type { CheckCause, MemberAnswer } from './findings.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const [nftType, roleId] = ['0x77::rocks::Nft', '2'];

interface Member extends DecidedMember {
  readonly userId: string;
  readonly answer: MemberAnswer;
  readonly answeredAt: Date;
  /** The last answer other than 'unknown'. */
  readonly lastKnown: MemberAnswer;
  readonly removal: { readonly state: 'pending' | 'done'; readonly cause: string; readonly doneAt: Date } | null;
}

type Step =
  | { readonly kind: 'time'; readonly minutes: number }
  /** From now on the sources give this answer for `count` members, beginning with `first`. */
  | { readonly kind: 'say'; readonly first: number; readonly count: number; readonly answer: MemberAnswer }
  /** Everyone is checked at once. */
  | { readonly kind: 'sweep' }
  /** `count` of the due checks run, and the removals are decided after each. */
  | { readonly kind: 'check'; readonly count: number }
  /** Discord makes `count` of the waiting removals. */
  | { readonly kind: 'discord'; readonly count: number }
  | { readonly kind: 'decision'; readonly isApproved: boolean };

/** A server in memory: the real rules make the decisions, and this class only stores them. */
class Server {
  nowMs = Date.parse('2026-11-20T12:00:00Z');
  waitingSince: Date | null = null;
  readonly graceMs: number;
  readonly members: Member[];
  readonly says: MemberAnswer[];

  constructor(memberCount: number, graceMinutes: number) {
    this.graceMs = graceMinutes * minuteMs;
    this.says = Array.from({ length: memberCount }, () => 'holds');
    this.members = this.says.map((answer, index) => ({
      ...nothingDue('holder'),
      userId: String(index),
      hasRole: true,
      findings: { nftType, unknownSince: null, wallets: [] },
      checkDueAt: null,
      checkCause: null,
      wallets: [{ wallet: String(index), isAuthorized: false }],
      answer,
      answeredAt: this.now,
      lastKnown: answer,
      removal: null,
    }));
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  do(step: Step): void {
    switch (step.kind) {
      case 'time':
        this.nowMs += step.minutes * minuteMs;
        break;
      case 'say':
        this.says.fill(step.answer, step.first, step.first + step.count);
        break;
      case 'sweep':
        this.members.forEach((member) => this.check(member, 'sweep'));
        break;
      case 'check':
        this.due()
          .slice(0, step.count)
          .forEach((member) => (this.check(member, 'due'), this.settle()));
        break;
      case 'discord':
        this.pending()
          .slice(0, step.count)
          .forEach((member) => this.takeRole(member));
        break;
      default:
        this.decideWaiting(step.isApproved);
    }
    this.settle();
  }

  put(member: Member, change: Partial<Member>): Member {
    const changed = { ...member, ...change };
    this.members[Number(member.userId)] = changed;
    return changed;
  }

  due = (): readonly Member[] => this.members.filter(({ checkDueAt }) => checkDueAt !== null && checkDueAt <= this.now);

  pending = (): readonly Member[] => this.members.filter(({ removal }) => removal?.state === 'pending');

  check(member: Member, cause: CheckCause): Member {
    const { now } = this;
    const said = this.says[Number(member.userId)] ?? 'unknown';
    const found = { kind: said, reason: 'node-unavailable', nfts: [], kioskCount: null, asOf: now };
    const answers = new Map([[member.userId, found]]);
    const decision = decide(member, { nftType, answers, begunAt: now, asOf: now, now, cause });
    const { answer, state, findings, checkDueAt, checkCause, grants } = decision;
    return this.put(member, {
      ...state,
      findings,
      checkDueAt,
      checkCause,
      answer,
      answeredAt: now,
      lastKnown: answer === 'unknown' ? member.lastKnown : answer,
      hasRole: member.hasRole === true || grants,
      removal: answer === 'holds' && member.removal?.state === 'pending' ? null : member.removal,
    });
  }

  /** What roles/decide-removals.ts does with a plan. */
  settle(): void {
    const { now, graceMs } = this;
    const leaving = this.members.flatMap((member): PlannedMember[] => {
      const { roleState, secondNoAt, removal } = member;
      if ((roleState !== 'grace' && roleState !== 'braked') || secondNoAt === null) return [];
      return [{ ...member, roleState, secondNoAt, removalCause: removal?.state === 'pending' ? removal.cause : null }];
    });
    const roleHolders = this.members.filter(({ hasRole }) => hasRole).length;
    const plan = planRemovals({
      members: leaving,
      isWaiting: this.waitingSince !== null,
      doneLastHour: this.done(this.waitingSince ?? now),
      inDoubt: this.members.filter(({ roleState, hasRole }) => roleState === 'doubt' && hasRole).length,
      roleHolders,
      now,
    });
    if (plan.announce.length + plan.remove.length > 0) this.expectFew(roleHolders);
    if (plan.isObsolete) this.waitingSince = null;
    this.each(plan.release, (member) => this.put(member, { roleState: 'grace', checkDueAt: now }));
    const braked = { roleState: 'braked', removalDueAt: null, checkDueAt: null, removal: null } as const;
    this.each(plan.brake, (member) => this.put(member, braked));
    if (plan.brake.length > 0) this.waitingSince ??= now;
    this.each(plan.announce, (member) => {
      const told = this.put(member, { removalDueAt: graceMs === 0 ? member.secondNoAt : this.in(graceMs) });
      if (graceMs === 0) this.queue(told, 'not-holding');
      else this.put(told, { checkDueAt: this.in(graceMs) });
    });
    this.each(plan.remove, (member) => this.queue(member, 'not-holding'));
    const without = this.pending().filter(({ removal }) => removal?.cause !== 'approved').length + this.done(now);
    expect(isMassRemoval(without, this.members.filter(({ hasRole }) => hasRole).length + this.done(now))).toBe(false);
  }

  /** No one loses the role while all members whose last known answer is 'does not hold' would be a mass removal. */
  expectFew(roleHolders: number): void {
    const doomed = this.members.filter(
      ({ hasRole, lastKnown, roleState, removal, secondNoAt, removalDueAt }) =>
        hasRole &&
        lastKnown === 'does-not-hold' &&
        roleState !== 'kept' &&
        removal?.cause !== 'approved' &&
        // Leaves out members notified earlier whose grace continues.
        (removalDueAt === null || removalDueAt <= this.now || this.nowMs - Number(secondNoAt) < hourMs),
    );
    const done = this.done(this.now);
    expect(isMassRemoval(doomed.length + done, roleHolders + done)).toBe(false);
  }

  in = (ms: number): Date => new Date(this.nowMs + ms);

  each(userIds: readonly string[], work: (member: Member) => void): void {
    for (const member of this.members.filter(({ userId }) => userIds.includes(userId))) work(member);
  }

  queue(member: Member, cause: string): void {
    this.put(member, { removal: { state: 'pending', cause, doneAt: this.now } });
  }

  /** How many lost the role without an admin's approval in the hour before. */
  done = (before: Date): number =>
    this.members.filter(({ removal, hasRole }) => {
      if (removal?.state !== 'done' || removal.cause === 'approved' || hasRole === true) return false;
      return removal.doneAt <= before && before.getTime() - removal.doneAt.getTime() < hourMs;
    }).length;

  /** What roles/give-and-take-roles.ts does with a removal. */
  takeRole(member: Member): void {
    const { removal } = member;
    if (removal === null) return;
    const action = { wanted: 'remove-role', roleId, cause: removal.cause } as const;
    const guild = { name: '', isGone: false, nftContract: nftType, nftName: null, roleId, roleName: null };
    const place = { guildId: '1', displayName: member.userId, isInGuild: true, guild };
    const around = { ...place, payoutMessagesSince: null, wallets: [], now: this.now };
    const first = roleVerdict(action, { ...member, ...around }).kind;
    const checked = first === 'check-first' ? this.check(member, 'before-removal') : member;
    const last = first === 'check-first' ? roleVerdict(action, { ...checked, ...around }, true).kind : first;
    if (last === 'end') this.put(checked, { removal: null });
    if (last !== 'go') return;
    const gone = {
      hasRole: false,
      checkDueAt: null,
      removal: { ...removal, state: 'done', doneAt: this.now },
    } as const;
    this.put(checked, { ...nothingDue('none'), ...gone });
  }

  decideWaiting(isApproved: boolean): void {
    if (this.waitingSince === null) return;
    this.waitingSince = null;
    for (const member of this.members.filter(({ roleState }) => roleState === 'braked')) {
      if (!isApproved) this.put(member, { roleState: 'kept', removalDueAt: null });
      else this.queue(this.put(member, { roleState: 'grace', removalDueAt: this.in(this.graceMs) }), 'approved');
    }
  }
}

const upTo = (max: number) => fc.integer({ min: 1, max });
const stepOf = (memberCount: number): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('time' as const), minutes: upTo(40) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('say' as const),
        first: fc.nat(memberCount - 1),
        count: upTo(memberCount),
        answer: fc.constantFrom<MemberAnswer>('holds', 'does-not-hold', 'unknown'),
      }),
    },
    { weight: 2, arbitrary: fc.constant<Step>({ kind: 'sweep' }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('check' as const), count: upTo(40) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('discord' as const), count: upTo(20) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('decision' as const), isApproved: fc.boolean() }) },
  );
const stories = fc.integer({ min: 11, max: 60 }).chain((memberCount) =>
  fc.record({
    server: fc.constantFrom(0, 0, 5, 90).map((graceMinutes) => ({ memberCount, graceMinutes })),
    steps: fc.array(stepOf(memberCount), { minLength: 6, maxLength: 60 }),
  }),
);

it('more than 10 members and more than a fifth never lose the role without an admin’s approval, whatever is found or not (rulings R5)', () => {
  fc.assert(
    fc.property(stories, ({ server: { memberCount, graceMinutes }, steps }) => {
      const server = new Server(memberCount, graceMinutes);
      for (const step of steps) server.do(step);
    }),
    { numRuns: 400 },
  );
});
