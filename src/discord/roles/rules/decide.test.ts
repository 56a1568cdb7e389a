import { describe, expect, it } from 'vitest';

import type { HoldingAnswer } from '../../../market/contract.ts';
import {
  type CheckedAnswers,
  decide,
  type DecidedMember,
  isOutdated,
  type MemberRecord,
  nothingDue,
} from './decide.ts';
import { roleVerdict } from './role-verdict.ts';

const now = new Date('2026-11-20T12:00:00Z');
const later = (ms: number): Date => new Date(now.getTime() + ms);
const answers: Readonly<Record<string, HoldingAnswer>> = {
  holds: { kind: 'holds', nfts: [], asOf: now },
  no: { kind: 'does-not-hold', kioskCount: 0, asOf: now },
  unknown: { kind: 'unknown', reason: 'node-unavailable', asOf: now },
};
const findings = { nftType: 'rocks', unknownSince: null, wallets: [] };
const member = (given: Partial<DecidedMember> = {}): DecidedMember => ({
  ...nothingDue('holder'),
  hasRole: true,
  findings,
  checkDueAt: null,
  checkCause: null,
  wallets: [{ wallet: '0x1', isAuthorized: false }],
  ...given,
});
const answered = (found: keyof typeof answers, given: Partial<CheckedAnswers> = {}): CheckedAnswers => ({
  nftType: 'rocks',
  answers: new Map([['0x1', answers[found]!]]),
  begunAt: now,
  asOf: now,
  now,
  cause: 'sweep',
  ...given,
});

describe('What follows from a check', () => {
  it('a wallet that was not read is unknown, not empty', () => {
    expect(decide(member(), answered('no', { answers: new Map() }))).toMatchObject({ answer: 'unknown' });
  });

  it.each([
    { cause: 'bought', found: 'no', dueMs: 10_000, next: 'bought-2' },
    { cause: 'bought-2', found: 'no', dueMs: 30_000, next: 'bought-3' },
    { cause: 'bought-3', found: 'no', dueMs: 120_000, next: 'bought-4' },
    { cause: 'bought-4', found: 'no', dueMs: null, next: null },
    { cause: 'bought', found: 'holds', dueMs: null, next: null },
    { cause: 'sold', found: 'holds', dueMs: 10_000, next: 'sold-2' },
    { cause: 'traded', found: 'holds', dueMs: 10_000, next: 'traded-2' },
    { cause: 'sweep', found: 'no', dueMs: null, next: null },
  ] as const)(
    'a full node that lags behind an event is asked again: $cause, $found',
    ({ cause, found, dueMs, next }) => {
      const { checkDueAt, checkCause } = decide(member(nothingDue('none')), answered(found, { cause }));
      expect({ checkDueAt, checkCause }).toEqual({
        checkDueAt: dueMs === null ? null : later(dueMs),
        checkCause: next,
      });
    },
  );

  it('an unreadable wallet is checked again after as long as it has been unreadable, 5 minutes at most', () => {
    const dueAfter = (unknownForMs: number) => {
      const unknownSince = later(-unknownForMs).toISOString();
      return decide(member({ findings: { ...findings, unknownSince } }), answered('unknown')).checkDueAt;
    };
    expect(decide(member(), answered('unknown')).checkDueAt).toEqual(later(10_000));
    expect(dueAfter(60_000)).toEqual(later(60_000));
    expect(dueAfter(3_600_000)).toEqual(later(300_000));
  });

  it('wallets that cannot be read because of missing configuration are left to the sweep', () => {
    const found = (reason: string) => new Map([['0x1', { kind: 'unknown', reason, asOf: now } as const]]);
    const decided = decide(member(), answered('unknown', { answers: found('marketplace-key-missing') }));
    expect(decided).toMatchObject({ answer: 'unknown', checkDueAt: null });
    const both = member({ wallets: ['0x1', '0x2'].map((wallet) => ({ wallet, isAuthorized: false })) });
    expect(decide(both, answered('unknown', { answers: found('marketplace-key-missing') })).checkDueAt).not.toBeNull();
  });

  it('a check that became due during another check stays due', () => {
    const busy = member({ checkDueAt: later(1), checkCause: 'sold' });
    expect(decide(busy, answered('holds'))).toMatchObject({ checkDueAt: later(1), checkCause: 'sold' });
  });

  it('a check that a member asks for counts as the one that was due: the checks after a purchase still follow', () => {
    const bought = member({ checkDueAt: later(-1), checkCause: 'bought' });
    const due = { checkDueAt: later(10_000), checkCause: 'bought-2' };
    expect(decide(bought, answered('no', { cause: 'asked' }))).toMatchObject(due);
    expect(decide(bought, answered('unknown', { cause: 'asked' }))).toMatchObject({ checkCause: 'bought' });
    expect(decide(bought, answered('holds', { cause: 'asked' }))).toMatchObject({ checkDueAt: null });
  });

  it('two checks for another collection say nothing about this one', () => {
    const grace = member({ roleState: 'grace', secondNoAt: later(-1), firstNoAt: later(-700_000) });
    expect(decide(grace, answered('no')).state.roleState).toBe('grace');
    expect(decide(grace, answered('no', { nftType: 'pebbles' })).state.roleState).toBe('doubt');
    expect(decide(member(nothingDue('none')), answered('no', { nftType: 'pebbles' })).state.roleState).toBe('none');
  });

  it('a member whom an admin let keep the role keeps it while they have wallets, and starts over without any', () => {
    const kept = member(nothingDue('kept'));
    expect(decide(kept, answered('no')).state.roleState).toBe('kept');
    const without = decide({ ...kept, wallets: [] }, answered('no'));
    expect(without).toMatchObject({ state: { roleState: 'doubt' }, checkDueAt: later(600_000) });
    expect(decide({ ...member(nothingDue('braked')), wallets: [] }, answered('no')).state.roleState).toBe('braked');
  });
});

describe('Whether a role change is still to be made in Discord', () => {
  const guild = {
    name: 'Rock Mountain',
    isGone: false,
    nftContract: 'rocks',
    nftName: 'Rocks',
    roleId: '5',
    roleName: null,
  };
  const leaving: MemberRecord = {
    ...nothingDue('grace'),
    guildId: '1',
    userId: '2',
    displayName: 'Gwen',
    isInGuild: true,
    hasRole: true,
    removalDueAt: later(-1),
    answer: 'does-not-hold',
    answeredAt: later(-59_000),
    checkDueAt: null,
    checkCause: null,
    payoutMessagesSince: null,
    now,
    findings,
    wallets: [],
    guild,
  };
  const removal = { wanted: 'remove-role', roleId: '5', cause: 'not-holding' } as const;
  it.each([
    { what: 'a fresh no', given: {}, verdict: 'go' },
    { what: 'a no from over a minute ago', given: { answeredAt: later(-61_000) }, verdict: 'check-first' },
    { what: 'never checked', given: { answeredAt: null }, verdict: 'check-first' },
    { what: 'unknown', given: { answer: 'unknown' as const }, verdict: 'later' },
    { what: 'just bought', given: { checkDueAt: later(9_000), checkCause: 'bought-2' as const }, verdict: 'later' },
    { what: 'sold', given: { checkDueAt: later(9_000), checkCause: 'sold-2' as const }, verdict: 'go' },
    { what: 'grace not over', given: { removalDueAt: later(60_000) }, verdict: 'later' },
    { what: 'holds again', given: { roleState: 'holder' as const }, verdict: 'end' },
    { what: 'stopped by the brake', given: { roleState: 'braked' as const }, verdict: 'end' },
    { what: 'another role chosen', given: { guild: { ...guild, roleId: '6' } }, verdict: 'end' },
    { what: 'another collection chosen', given: { guild: { ...guild, nftContract: 'x' } }, verdict: 'check-first' },
    { what: 'role gone', given: { hasRole: false }, verdict: 'end' },
    { what: 'left the server', given: { isInGuild: false }, verdict: 'end' },
  ])('a removal: $what, $verdict', ({ given, verdict }) => {
    expect(roleVerdict(removal, { ...leaving, ...given }).kind).toBe(verdict);
  });

  it("a removal that a member asked for ('delete my data') needs no check", () => {
    const owed = { ...removal, cause: 'data-deleted' };
    expect(roleVerdict(owed, null)).toEqual({ kind: 'go' });
    expect(roleVerdict(owed, { ...leaving, roleState: 'none' })).toEqual({ kind: 'go' });
    expect(roleVerdict(owed, { ...leaving, roleState: 'doubt' })).toEqual({ kind: 'end' });
  });

  it('a role is given only to a member who is entitled to it and does not have it', () => {
    const grant = { wanted: 'grant-role', roleId: '5', cause: 'verified' } as const;
    const holder = { ...leaving, roleState: 'holder', answer: 'holds', hasRole: null } as const;
    expect(roleVerdict(grant, holder).kind).toBe('go');
    expect(roleVerdict(grant, { ...holder, answeredAt: later(-301_000) }).kind).toBe('check-first');
    expect(roleVerdict(grant, { ...holder, answer: 'unknown' }).kind).toBe('later');
    expect(roleVerdict(grant, { ...leaving, roleState: 'holder' }).kind).toBe('end');
    expect(roleVerdict(grant, leaving).kind).toBe('end');
    expect(roleVerdict(grant, null).kind).toBe('end');
  });
});

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 20, 12, minute));
const found = { answer: 'holds', answeredAt: at(10), findings } as const;
const older = { nftType: 'rocks', answer: 'does-not-hold', asOf: at(9) } as const;

it.each([
  ['differs from a newer check', found, older, true],
  ['agrees with a newer check', found, { ...older, answer: 'holds' }, false],
  ['is as new as the last check', found, { ...older, asOf: at(10) }, false],
  ['is newer than the last check', found, { ...older, asOf: at(11) }, false],
  ['follows a check for another collection', { ...found, findings: { ...findings, nftType: 'bats' } }, older, false],
  ['follows a check without a result', { ...found, answer: 'unknown' }, older, false],
  ['is the first check', { answer: null, answeredAt: null, findings: null }, older, false],
] as const)('whether an owner table is outdated when it %s', (_when, member, look, isTooOld) =>
  expect(isOutdated(member, look)).toBe(isTooOld),
);
