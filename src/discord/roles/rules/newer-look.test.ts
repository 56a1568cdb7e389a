import { expect, test } from 'vitest';
import { isOutdated } from './decide.ts';

const rocks = `0x${'c'.repeat(64)}::rocks::Nft`;
const bats = `0x${'d'.repeat(64)}::bats::Bat`;
const findingsOf = (nftType: string) => ({ nftType, unknownSince: null, wallets: [] });
const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 20, 12, minute));
const found = { answer: 'holds', answeredAt: at(10), findings: findingsOf(rocks) } as const;
const older = { nftType: rocks, answer: 'does-not-hold', lookedAt: at(9) } as const;

test.each([
  ['says something else than a newer look', found, older, true],
  ['says the same', found, { ...older, answer: 'holds' }, false],
  ['is as new', found, { ...older, lookedAt: at(10) }, false],
  ['is newer', found, { ...older, lookedAt: at(11) }, false],
  ['comes after a look for another collection', { ...found, findings: findingsOf(bats) }, older, false],
  ['comes after a look that found nothing out', { ...found, answer: 'unknown' }, older, false],
  ['is the first', { answer: null, answeredAt: null, findings: null }, older, false],
] as const)('what an owner table says when it %s', (_when, member, look, isTooOld) =>
  expect(isOutdated(member, look)).toBe(isTooOld),
);
