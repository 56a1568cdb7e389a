import { expect, test } from 'vitest';
import { isOutdated } from './decide.ts';

const rocks = `0x${'c'.repeat(64)}::rocks::Nft`;
const bats = `0x${'d'.repeat(64)}::bats::Bat`;
const findingsOf = (nftType: string) => ({ nftType, unknownSince: null, wallets: [] });
const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 20, 12, minute));
const found = { answer: 'holds', answeredAt: at(10), findings: findingsOf(rocks) } as const;
const older = { nftType: rocks, answer: 'does-not-hold', asOf: at(9) } as const;

test.each([
  ['differs from a newer check', found, older, true],
  ['agrees with a newer check', found, { ...older, answer: 'holds' }, false],
  ['is as new as the last check', found, { ...older, asOf: at(10) }, false],
  ['is newer than the last check', found, { ...older, asOf: at(11) }, false],
  ['follows a check for another collection', { ...found, findings: findingsOf(bats) }, older, false],
  ['follows a check without a result', { ...found, answer: 'unknown' }, older, false],
  ['is the first check', { answer: null, answeredAt: null, findings: null }, older, false],
] as const)('whether an owner table is outdated when it %s', (_when, member, look, isTooOld) =>
  expect(isOutdated(member, look)).toBe(isTooOld),
);
