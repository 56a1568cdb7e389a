import { createHash } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { monthAfter } from '../../shared/utc-month.ts';
import { makeStatement } from './statement.ts';
import { checkStatement, type Statement } from './statement-check.ts';

const sha256 = async (text: string): Promise<string> => createHash('sha256').update(text).digest('hex');
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const coinTypes = ['0x2::sui::SUI', '0xa::rock::ROCK', '0xb::odd::ODD'] as const;
type CoinType = (typeof coinTypes)[number];

/** In the order of the chain. */
interface Movement {
  readonly coinType: CoinType;
  readonly raw: bigint;
  /** Unsolicited. */
  readonly isUnsolicited: boolean;
  readonly gasMist: bigint;
}

const movement: fc.Arbitrary<Movement> = fc.record({
  coinType: fc.constantFrom(...coinTypes),
  raw: fc.bigInt(-(10n ** 15n), 10n ** 15n).filter((raw) => raw !== 0n),
  isUnsolicited: fc.boolean(),
  gasMist: fc.bigInt(0n, 10n ** 7n),
});

/** The movements of consecutive months; nothing goes out that was not held. */
const months = fc.array(fc.array(movement, { maxLength: 8 }), { minLength: 1, maxLength: 4 }).map((each) => {
  const held = new Map<CoinType, bigint>();
  return each.map((movements) =>
    movements.map((one) => {
      const before = held.get(one.coinType) ?? 0n;
      const raw = one.isUnsolicited || before + one.raw < 0n ? (one.raw < 0n ? -one.raw : one.raw) : one.raw;
      held.set(one.coinType, before + raw);
      return { ...one, raw };
    }),
  );
});

const prices: Readonly<Record<CoinType, bigint | null>> = {
  '0x2::sui::SUI': 3_141_592_653_589n,
  '0xa::rock::ROCK': 1n,
  '0xb::odd::ODD': null,
};
const asOf = new Date('2026-01-31T23:00:00Z');
const sumOf = (movements: readonly Movement[], coinType: string): bigint =>
  movements.reduce((sum, each) => (each.isUnsolicited && each.coinType === coinType ? sum + each.raw : sum), 0n);

/** The published files, oldest first. */
function filesOf(each: readonly (readonly Movement[])[]): readonly string[] {
  const files: string[] = [];
  let month = '2025-11';
  for (const [at, movements] of each.entries()) {
    const last = files.at(-1);
    const before = last === undefined ? null : { sha256: hashOf(last), coins: (JSON.parse(last) as Statement).coins };
    const entries = movements
      .filter(({ isUnsolicited }) => !isUnsolicited)
      .map(({ coinType, raw, gasMist }, index) => ({
        digest: `${month} ${index}`,
        at: `${month}-0${index + 1}T00:00:00.000Z`,
        checkpoint: String(index),
        kind: 'other',
        counterparty: null,
        gasMist: String(gasMist),
        changes: [
          { coinType, raw: String(raw), pricePicoUsd: '5', priceAt: asOf.toISOString(), priceSource: 'defillama' },
        ],
        nfts: [],
      }));
    const of = month;
    const statement = makeStatement({
      network: 'mainnet',
      treasuryAddress: '0xcave',
      month,
      entries,
      unaskedTransactions: movements.length - entries.length,
      before,
      formatOf: (type) => ({ symbol: type.split('::')[2] ?? null, decimals: type === coinTypes[1] ? 3 : 9 }),
      priceOf: (coinType) => {
        const pricePicoUsd = prices[coinType as CoinType];
        const lastDay = new Date(`${of}-28T23:00:00Z`);
        return pricePicoUsd === null ? null : { pricePicoUsd, confidence: 0.99, asOf: lastDay, source: 'defillama' };
      },
      unsolicitedOf: (coinType) => ({
        everRaw: sumOf(each.slice(0, at + 1).flat(), coinType),
        ofMonthRaw: sumOf(movements, coinType),
      }),
    });
    files.push(canonicalJson(statement));
    month = monthAfter(month);
  }
  return files;
}

const check = (file: string, published: string, before: string | null, canHash = true): Promise<readonly string[]> =>
  checkStatement({ file, publishedSha256: hashOf(published), before, sha256: canHash ? sha256 : null });

/** Replaces one digit by another one. */
const otherDigit = (digits: string, at: number, by: number): string => {
  const place = at % digits.length;
  const digit = digits[place] === '-' ? '-' : String((Number(digits[place]) + 1 + (by % 9)) % 10);
  return digits.slice(0, place) + digit + digits.slice(place + 1);
};

describe('a recalculated statement', () => {
  test('adds up for any movements in any months', async () => {
    await fc.assert(
      fc.asyncProperty(months, async (each) => {
        const files = filesOf(each);
        for (const [at, file] of files.entries()) expect(await check(file, file, files[at - 1] ?? null)).toEqual([]);
      }),
    );
  });

  test('does not add up if any byte of the file was changed', async () => {
    await fc.assert(
      fc.asyncProperty(months, fc.nat(), fc.integer({ min: 32, max: 126 }), async (each, at, code) => {
        const files = filesOf(each);
        const file = files.at(-1) ?? '';
        const place = at % file.length;
        const changed = file.slice(0, place) + String.fromCodePoint(code) + file.slice(place + 1);
        fc.pre(changed !== file);
        expect(await check(changed, file, files.at(-2) ?? null)).not.toEqual([]);
      }),
    );
  });

  test('does not add up if any digit of an amount, a value or a total was changed, even without hashes', async () => {
    const amount =
      /"(?:openingRaw|unaskedRaw|inRaw|outRaw|closingRaw|valueMicroUsd|raw|closingMicroUsd|gasMist)":"(-?\d+)"/g;
    await fc.assert(
      fc.asyncProperty(months, fc.nat(), fc.nat(), fc.nat(), async (each, which, at, by) => {
        const files = filesOf(each);
        const file = files.at(-1) ?? '';
        const found = [...file.matchAll(amount)];
        const match = found[which % found.length];
        fc.pre(match !== undefined);
        const [whole = '', digits = ''] = match ?? [];
        const changed = otherDigit(digits, at, by);
        fc.pre(changed !== digits && BigInt(changed) !== BigInt(digits));
        const place = match?.index ?? 0;
        const withIt =
          file.slice(0, place) + whole.replace(`"${digits}"`, `"${changed}"`) + file.slice(place + whole.length);
        expect(await check(withIt, file, files.at(-2) ?? null, false)).not.toEqual([]);
      }),
    );
  });
});

describe('the check of a statement reports', () => {
  const [first = '', second = ''] = filesOf([
    [{ coinType: '0x2::sui::SUI', raw: 7n, isUnsolicited: false, gasMist: 1n }],
    [{ coinType: '0x2::sui::SUI', raw: 5n, isUnsolicited: false, gasMist: 1n }],
  ]);
  const of = (change: (statement: Record<string, unknown>) => void): string => {
    const statement = JSON.parse(second) as Record<string, unknown>;
    change(statement);
    return canonicalJson(statement);
  };

  test('the coin, with the stated and the correct amount', async () => {
    const changed = second.replace('"inRaw":"5"', '"inRaw":"6"');
    expect(await check(changed, second, first)).toEqual([
      'The SHA-256 is not the one that was published.',
      'SUI: what came in is stated as 6 base units but is 5 base units.',
    ]);
  });

  test('an opening balance that is not the closing balance of the month before', async () => {
    const changed = second.replace('"openingRaw":"7"', '"openingRaw":"8"');
    expect(await check(changed, second, first)).toContain(
      'SUI: the opening balance is stated as 8 base units but is 7 base units.',
    );
  });

  test('a price from after the end of the month, even by a millisecond', async () => {
    const at = (priceAt: string): string => of(({ coins }) => Object.assign((coins as object[])[0] ?? {}, { priceAt }));
    const problem = 'SUI: the price is from after the end of the month.';
    expect(await check(at('2026-01-01T00:00:00.001Z'), second, first)).toContain(problem);
    expect(await check(at('2026-01-01T00:00:00.000Z'), second, first)).not.toContain(problem);
    // Statements of rules version 1 were published with such prices and stay as they are.
    const earlier = at('2026-01-01T00:00:12.000Z').replace('"rulesVersion":2', '"rulesVersion":1');
    expect(await check(earlier, second, first)).not.toContain(problem);
  });

  test('a previous hash that is not that of the month before', async () => {
    const changed = of((statement) => (statement['previousSha256'] = 'a'.repeat(64)));
    expect(await check(changed, changed, first)).toEqual([
      'It does not name the SHA-256 of the statement for 2025-11.',
    ]);
  });

  test('a coin that is left out', async () => {
    const changed = of((statement) => Object.assign(statement, { coins: [], entries: [] }));
    expect(await check(changed, changed, first)).toContain(
      'SUI: the closing balance of 2025-11, 7 base units, is left out.',
    );
  });

  test('a coin that is listed twice', async () => {
    const changed = of((statement) => {
      const [coin] = statement['coins'] as object[];
      statement['coins'] = [coin, coin];
    });
    expect(await check(changed, changed, first)).toContain('SUI is listed twice.');
  });

  test('a negative unsolicited amount', async () => {
    const changed = of((statement) => {
      for (const coin of statement['coins'] as object[]) Object.assign(coin, { unaskedRaw: '-4', closingRaw: '8' });
    });
    expect(await check(changed, changed, first)).toContain('SUI: the unsolicited amount is negative.');
  });

  test('a transaction from another month, and one that is listed twice', async () => {
    const changed = of((statement) => {
      const [entry] = statement['entries'] as object[];
      statement['entries'] = [entry, { ...entry, at: '2025-11-30T00:00:00.000Z' }];
    });
    const problems = await check(changed, changed, first);
    expect(problems).toContain('The transaction 2025-12 0 is listed twice.');
    expect(problems).toContain('The transaction 2025-12 0 is from another month: 2025-11-30T00:00:00.000Z.');
  });

  test('a month without a published statement', async () => {
    const problems = await checkStatement({ file: second, publishedSha256: null, before: first, sha256 });
    expect(problems).toEqual(['No statement for 2025-12 is published.']);
  });

  test.each([
    ['', 'This is not a statement: it is not JSON, or it contains fractions.'],
    ['{"a":0.5}', 'This is not a statement: version is missing or not valid.'],
    ['[]', 'This is not a statement.'],
    [
      second.replace('"raw":"5"', '"raw":"5.5"'),
      'This is not a statement: entries.0.changes.0.raw is missing or not valid.',
    ],
  ])('a file that is not a statement: %#', async (file, sentence) => {
    expect(await check(file, second, first)).toEqual([sentence]);
  });
});
