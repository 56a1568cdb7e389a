import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/shared/canonical-json.ts';
import { monthAfter, monthOf, monthStart } from '../../src/shared/utc-month.ts';
import type { PriceQuote } from '../../src/sources/prices/price-quote.ts';

import { checkStatement, type Statement } from '../../src/treasury/core/statement-check.ts';
import type { StatementSummary } from '../../src/treasury/ledger-contract.ts';
import {
  type LedgerScene,
  type LedgerSceneOptions,
  monthWithoutStatement,
  startLedgerScene,
} from '../support/ledger-scene.ts';

const sha256 = async (text: string): Promise<string> => createHash('sha256').update(text).digest('hex');

interface Published extends StatementSummary {
  readonly file: string;
  readonly statement: Statement;
}

/** Oldest first. */
async function published(scene: LedgerScene): Promise<readonly Published[]> {
  const found: Published[] = [];
  for (const summary of scene.ledger.statements.answer().statements.toReversed()) {
    const file = await scene.statementFile(summary.month);
    found.push({ ...summary, file, statement: JSON.parse(file) as Statement });
  }
  return found;
}

const filesOf = async (scene: LedgerScene): Promise<readonly string[]> =>
  (await published(scene)).map(({ file }) => file);

/** Like the real source, it gives the record nearest to the last hour, which is from shortly after it. */
const pastPrices: NonNullable<LedgerSceneOptions['pastPrices']> = ({ readPastPrices }) => ({
  readPastPrices: async (coinTypes, range, stop) => {
    const toMs = range.to.getTime();
    const found = await readPastPrices(coinTypes, range, stop);
    const late = (asOf: Date) => (asOf.getTime() > toMs - 1_800_000 ? new Date(toMs + 60_000) : asOf);
    const delayed = (quotes: readonly PriceQuote[]) => quotes.map((quote) => ({ ...quote, asOf: late(quote.asOf) }));
    return new Map([...found].map(([coinType, quotes]) => [coinType, delayed(quotes)]));
  },
});

async function readScene(): Promise<LedgerScene> {
  const scene = await startLedgerScene({ pastPrices });
  await scene.read();
  await scene.price();
  return scene;
}

describe('the statements of a treasury with fourteen months of history', () => {
  let scene: LedgerScene;
  let all: readonly Published[];
  beforeAll(async () => {
    scene = await readScene();
    await scene.makeStatements();
    all = await published(scene);
  }, 120_000);
  afterAll(() => scene.end());

  test('cover every month that is over since the first movement, each with the hash of the one before', async () => {
    const first = (await scene.entries()).at(-1)?.at.slice(0, 7);
    expect(all.length).toBeGreaterThan(11);
    let [month, before]: [string | undefined, string | null] = [first, null];
    for (const { statement, file } of all) {
      expect(statement).toMatchObject({ month, previousSha256: before, version: 1, rulesVersion: 2 });
      [month, before] = [monthAfter(statement.month), await sha256(file)];
    }
    expect(month).toBe(monthWithoutStatement());
  });

  test('are canonical, and the published bytes have the SHA-256 that is shown', async () => {
    for (const each of all) {
      expect(each.file).toBe(canonicalJson(each.statement));
      expect(await sha256(each.file)).toBe(each.sha256);
      expect(each.entries).toBe(each.statement.entries.length);
    }
  });

  test('add up for a reader who recalculates them', async () => {
    for (const [at, { file, sha256: publishedSha256 }] of all.entries()) {
      const before = all[at - 1]?.file ?? null;
      expect(await checkStatement({ file, publishedSha256, before, sha256 })).toEqual([]);
    }
  });

  test('are found changed as soon as one byte differs, even where a browser cannot hash and the sums are right', async () => {
    const [{ file: before } = { file: '' }, { file, sha256: publishedSha256 } = { file: '', sha256: '' }] = all;
    for (const changed of [
      file.replace('"closingRaw":', '"closingRaw":"99999999999","closingRaw":'),
      file.replace('{', '{"coins":[],"entries":[],'),
      file.replace('"version":1', '"version":1.0'),
      JSON.stringify(JSON.parse(file), null, 2),
    ]) {
      const problem =
        'It is not the published file byte for byte: a name is in it twice, or it is laid out differently.';
      const given = { file: changed, publishedSha256, before };
      expect(await checkStatement({ ...given, sha256: null })).toEqual([problem]);
      const withHash = ['The SHA-256 is not the one that was published.', problem];
      expect(await checkStatement({ ...given, sha256 })).toEqual(withHash);
    }
  });

  test('have every movement that counts exactly once', async () => {
    const ledger = await scene.entries();
    const until = monthStart(monthWithoutStatement()).toISOString();
    expect(all.flatMap(({ statement }) => statement.entries.map(({ digest }) => digest))).toEqual(
      ledger
        .filter(({ at }) => at < until)
        .map(({ digest }) => digest)
        .toReversed(),
    );
  });

  test('close with the balances that the treasury had on chain at the end of the month', () => {
    const { transactions, treasuryAddress } = scene.sandbox.world.state;
    for (const { month, statement } of all) {
      const endMs = monthStart(monthAfter(month)).getTime();
      const changes = transactions
        .filter(({ timestampMs }) => timestampMs < endMs)
        .flatMap(({ balanceChanges }) => balanceChanges.filter(({ address }) => address === treasuryAddress));
      for (const { coinType, closingRaw } of statement.coins) {
        const ofCoin = changes.filter((change) => change.coinType === coinType);
        expect(BigInt(closingRaw)).toBe(ofCoin.reduce((sum, { amount }) => sum + amount, 0n));
      }
    }
  });

  test('value each coin at a price from the last six hours of the month, with its source and time', () => {
    for (const { month, statement } of all) {
      const endMs = monthStart(monthAfter(month)).getTime();
      for (const { pricePicoUsd, priceAt, priceSource } of statement.coins) {
        if (pricePicoUsd === null) continue;
        expect(priceSource).toBe('defillama');
        expect(endMs - Date.parse(priceAt ?? '')).toBeLessThanOrEqual(6 * 3_600_000);
        expect(Date.parse(priceAt ?? '')).toBeLessThanOrEqual(endMs);
      }
      expect(BigInt(statement.totals.closingMicroUsd)).toBeGreaterThan(0n);
    }
  });

  test.each([
    ['2026-13', 'A month is written as in 2026-10.'],
    ['abc', 'A month is written as in 2026-10.'],
    ['1999-01', /^The first statement is for \d{4}-\d\d\.$/],
    ['9998-01', 'There is no statement for 9998-01 yet: it is made when its month has been over for an hour and '],
  ])('do not exist for %s, and one sentence says so', async (month, sentence) => {
    expect(await scene.statementFile(month)).toEqual(
      typeof sentence === 'string' ? expect.stringContaining(sentence) : expect.stringMatching(sentence),
    );
  });

  test('never change, whatever happens to prices, rules and the ledger afterwards', async () => {
    await scene.database.rows("update ledger_changes set price_pico_usd = 1, price_source = 'another'");
    await scene.database.rows("update ledger_entries set kind = 'other'");
    scene.sandbox.world.mint({ address: '0xc1' });
    await scene.read();
    await scene.price();
    await scene.makeStatements();
    expect(await filesOf(scene)).toEqual(all.map(({ file }) => file));
  });
});

describe('a statement is made', () => {
  let scene: LedgerScene;
  beforeAll(async () => {
    scene = await startLedgerScene();
    await scene.read();
  });
  afterAll(() => scene.end());
  const lastMonth = (): string | undefined => scene.ledger.statements.answer().statements[0]?.month;
  const quiet = monthOf(new Date(Date.now() - 200 * 86_400_000));
  const [from, until] = [monthStart(quiet), monthStart(monthAfter(quiet))];
  const coveredUntil = (at: number) =>
    scene.database.rows('update ledger_readings set covered_at = $1', [new Date(at)]);

  test('only after the prices of its month were requested', async () => {
    await scene.makeStatements();
    expect(scene.ledger.statements.answer()).toEqual({
      statements: [],
      reason: 'A statement is made when its month has been over for an hour and the prices of that month are known.',
    });
    await scene.price();
  });

  test('even for a month without movements, and only after the ledger was read to an hour past its end', async () => {
    for (const table of ['ledger_entries', 'ledger_changes']) {
      await scene.database.rows(`delete from ${table} where happened_at >= $1 and happened_at < $2`, [from, until]);
    }
    await coveredUntil(until.getTime() + 3_599_000);
    await scene.makeStatements();
    expect(lastMonth()).toBe(monthOf(new Date(from.getTime() - 1)));
    await coveredUntil(until.getTime() + 3_600_000);
    await scene.makeStatements();
    expect(lastMonth()).toBe(quiet);
    const { entries, coins } = JSON.parse(await scene.statementFile(quiet)) as Statement;
    expect(entries).toEqual([]);
    expect(coins.length).toBeGreaterThan(1);
    for (const { openingRaw, closingRaw } of coins) expect(closingRaw).toBe(openingRaw);
  });

  test('and what has no price is said beside its value, also to readers without JavaScript: unknown is not zero', async () => {
    const unpriced = 'update treasury_statements set closing_micro_usd = 0, unpriced_coins = 1 where month = $1';
    await scene.database.rows(unpriced, [quiet]);
    await scene.ledger.start();
    const { noscriptHtml, page } = scene.ledger.statements;
    const text = '$0 and 1 coin without a price at the end';
    expect(noscriptHtml()).toContain(text);
    expect(page.fillingOf?.(quiet)).toMatchObject({
      values: { statementDescription: expect.stringContaining(text) },
      blocks: { 'snapshot:statement': expect.stringContaining(text) },
    });
  });
});

test('a restarted chain has its own statements: the earlier ones are deleted with their ledger', async () => {
  const scene = await readScene();
  await scene.makeStatements();
  const before = await filesOf(scene);
  await scene.database.rows("update ledger_readings set chain_id = 'another'");
  const again = await startLedgerScene({ on: scene, pastPrices });
  await again.readOnce();
  await again.ledger.start();
  expect(again.ledger.statements.answer().statements).toEqual([]);
  await again.read();
  await again.price();
  await again.makeStatements();
  expect(await filesOf(again)).toEqual(before);
  await again.end();
  await scene.end();
});

test('if no node has the beginning, there are no statements, and the page says why', async () => {
  const scene = await startLedgerScene({ hasArchive: false });
  const { transactions } = scene.sandbox.world.state;
  scene.sandbox.world.prune({ checkpoint: transactions[Math.floor(transactions.length / 2)]?.checkpoint ?? 0 });
  await scene.read();
  await scene.read();
  await scene.price();
  await scene.makeStatements();
  const { statements, reason } = scene.ledger.statements.answer();
  expect(statements).toEqual([]);
  expect(reason).toMatch(/^There are no statements: no node has the first movements of the treasury any more/);
  expect(await scene.statementFile('2026-02')).toBe(reason);
  await scene.end();
});
