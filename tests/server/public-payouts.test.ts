import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { HolderAnswer, RockPageAnswer, RocksAnswer } from '../../src/market/rocks-contract.ts';
import { payoutAnswer, type PayoutPlan, payoutsAnswer } from '../../src/payouts/payouts-contract.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { LedgerAnswer, StatementsAnswer } from '../../src/treasury/ledger-contract.ts';
import { type Product, startProduct } from '../support/product.ts';
import { payLines, type Treasurer, treasurerOf, untilPaid } from '../support/published-payout.ts';
import { until } from '../support/until.ts';
import { dataOf } from '../support/route-request.ts';

const admin = { username: 'ogg', password: 'rock-solid-password' } as const;
const title = 'October <script>alert(1)</script> & "more"';
const escaped = 'October &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;';

let product: Product;
let treasurer: Treasurer;
/** Paid by one transaction. */
let october: PayoutPlan;
let paidBy: string;
/** Only one of its lines is paid, by hand. */
let november: PayoutPlan;
let withdrawn: PayoutPlan;
let before: { readonly html: string; readonly api: unknown };

const textOf = async (path: string): Promise<string> => (await fetch(product.url + path)).text();
const json = async <T>(path: string): Promise<T> => JSON.parse(await textOf(path)) as T;
const ledgerOf = async (query: string): Promise<LedgerAnswer['entries']> =>
  (await json<{ data: LedgerAnswer }>(`/api/treasury/ledger?${query}`)).data.entries;
const noscriptOf = async (path: string): Promise<string> =>
  [...(await textOf(path)).matchAll(/<noscript>([\s\S]*?)<\/noscript>/g)].map(([, inside]) => inside).join('');

beforeAll(async () => {
  product = await startProduct({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } });
  before = { html: await noscriptOf('/payouts'), api: await json('/api/payouts') };
  treasurer = await treasurerOf(product, admin);
  october = await treasurer.publish({ title, shareRaw: '10000007' });
  paidBy = await payLines(product, october.lines);
  await untilPaid(product, october.payout);
  withdrawn = await treasurer.publish({ title: 'Too early', shareRaw: '30000000' });
  await treasurer.withdraw(withdrawn.payout, 'A day <b>too early</b>');
  november = await treasurer.publish({ title: 'November', shareRaw: '20000003' });
  const [first] = november.lines;
  await product.control('/control/pay', { to: first!.address, coinType: suiCoinType, amount: first!.raw });
  const isPaying = async () => {
    const { payouts } = dataOf(payoutsAnswer, await json('/api/payouts'));
    return payouts.find(({ id }) => id === november.payout)?.state === 'paying';
  };
  await until('a line of November is paid', isPaying, 60_000);
}, 300_000);
afterAll(() => product.stop());

describe('rulings R9, public: /payouts', () => {
  test("before the first payout there is 'None yet' and nothing else", () => {
    expect(before.html).toContain('<p>None yet</p>');
    expect(before.html).not.toContain('<table');
    expect(before.api).toMatchObject({ data: { payouts: [], perRock: [], distributed: [] } });
  });

  test('the amount per rock is the sum of the paid payouts; the amount distributed is the sum of what addresses received', async () => {
    const { perRock, distributed, payouts } = dataOf(payoutsAnswer, await json('/api/payouts'));
    expect(payouts.map(({ id, state }) => [id, state])).toEqual([
      [november.payout, 'paying'],
      [withdrawn.payout, 'withdrawn'],
      [october.payout, 'paid'],
    ]);
    expect(perRock).toMatchObject([{ raw: october.shareRaw }]);
    const sum = BigInt(october.totalRaw) + BigInt(november.lines[0]!.raw);
    expect(distributed).toMatchObject([{ coin: { symbol: 'SUI' }, raw: String(sum) }]);
    const html = await noscriptOf('/payouts');
    expect(html).toContain('One rock has received so far: 0.010000007 SUI');
    expect(html).toContain(`<a class="link" href="/payouts/${october.payout}">${escaped}</a>`);
    expect(html).not.toMatch(/<script|<b>/);
  });
});

describe('rulings R9, public: /payouts/{id} without JavaScript', () => {
  test('shows plan, hash, snapshot, who is left out and why, and the files with every line', async () => {
    const html = await noscriptOf(`/payouts/${october.payout}`);
    const { sha256 } = dataOf(payoutAnswer, await json(`/api/payouts/${october.payout}`));
    expect(html).toContain(`<code class="wrap-anywhere">${sha256}</code>`);
    expect(html).toContain('<code class="wrap-anywhere">0x2::sui::SUI</code>');
    expect(html).toContain(`/checkpoint/${october.snapshot.checkpoint}">Checkpoint ${october.snapshot.checkpoint}</a>`);
    expect(html).toContain(
      `<th scope="row">The treasury pays nothing to itself</th><td>${october.leftOut[0]!.rocks.join(', ')}</td>`,
    );
    for (const file of ['plan.json', 'lines.csv']) expect(html).toContain(`/api/payouts/${october.payout}/${file}"`);
    expect(await noscriptOf(`/payouts/${withdrawn.payout}`)).toContain('A day &lt;b&gt;too early&lt;/b&gt;');
  });

  test('names itself to social networks and search engines', async () => {
    const html = await textOf(`/payouts/${october.payout}`);
    expect(html).toContain(`<title>Payout ${october.payout}: ${escaped} | Sui Rocks</title>`);
    expect(html).toContain(`<link rel="canonical" href="${product.url}/payouts/${october.payout}">`);
    expect(html).toMatch(/<meta property="og:description" content="Paid: 0\.010000007 SUI for each of \d+ rocks, /);
    const statementsNow = async () =>
      (await json<{ data: StatementsAnswer }>('/api/treasury/statements')).data.statements;
    await until('there are statements', async () => (await statementsNow()).length > 0, 60_000);
    const [sitemap, statements] = [await textOf('/sitemap.xml'), await statementsNow()];
    const { total } = (await json<{ data: RocksAnswer }>('/api/rocks')).data;
    const months = statements.map(({ month }) => `/statements/${month}`);
    const payouts = [october, november, withdrawn].map(({ payout }) => `/payouts/${payout}`);
    for (const path of ['/payouts', `/rocks/${total}`, ...months, ...payouts])
      expect(sitemap).toContain(`<loc>${product.url}${path}</loc>`);
    expect(sitemap.match(/<loc>[^<]*\/rocks\/\d+</g)).toHaveLength(total);
  }, 90_000);

  test('a payout that does not exist is not found', async () => {
    for (const id of ['999', '0', '01', 'abc', '1/2', '99999999999']) {
      expect((await fetch(`${product.url}/payouts/${id}`)).status, id).toBe(404);
    }
  });

  test('a line that was paid is shown after the next reading, without anyone requesting the page again', async () => {
    const html = await noscriptOf(`/payouts/${november.payout}`);
    expect(html).toContain('<dd>Being paid</dd>');
    expect(html).toContain(`1 of ${november.lines.length} lines`);
  });
});

describe('rulings R9, public: receipts', () => {
  test('a rock lists what it received: its share, who got it, when, and by which transaction', async () => {
    const line = october.lines.find(({ rocks }) => rocks.length > 1)!;
    for (const rock of line.rocks) {
      const { payouts } = (await json<{ data: RockPageAnswer }>(`/api/rocks/${rock}`)).data;
      expect(payouts.at(-1)).toMatchObject({
        payout: october.payout,
        title,
        address: line.address,
        coin: { symbol: 'SUI', decimals: 9 },
        raw: october.shareRaw,
        digest: paidBy,
        explorerUrl: expect.stringContaining(`/tx/${paidBy}`),
      });
    }
    const [rockOfTreasury] = october.leftOut[0]!.rocks;
    expect((await json<{ data: RockPageAnswer }>(`/api/rocks/${rockOfTreasury}`)).data.payouts).toEqual([]);
  });

  test('a holder lists what the address received, newest first', async () => {
    const [line] = november.lines;
    const { payouts } = (await json<{ data: HolderAnswer }>(`/api/holders/${line!.address}`)).data;
    expect(payouts.map(({ payout, raw }) => [payout, raw])).toEqual([
      [november.payout, line!.raw],
      [october.payout, october.lines.find(({ address }) => address === line!.address)!.raw],
    ]);
    expect((await json<{ data: HolderAnswer }>(`/api/holders/0x${'7'.repeat(64)}`)).data.payouts).toEqual([]);
  });
});

describe('rulings R9, public: the ledger and the feed', () => {
  test('a transaction of a published payout is a payout, however few lines it paid', async () => {
    const payouts = await ledgerOf('kind=payout');
    expect(payouts.find(({ digest }) => digest === paidBy)).toMatchObject({ kind: 'payout', payout: october.payout });
    const byHand = payouts.find(({ payout }) => payout === november.payout);
    expect(byHand?.counterparty?.address).toBe(november.lines[0]!.address);
    const sent = await ledgerOf('kind=transfer-out');
    expect(sent.map(({ digest }) => digest)).not.toContain(byHand?.digest);
    expect(sent.every(({ kind, payout }) => kind === 'transfer-out' && payout === null)).toBe(true);
    const row = (await textOf('/api/treasury/ledger.csv?kind=payout'))
      .split('\r\n')
      .find((line) => line.includes(byHand!.digest));
    expect(row).toContain(',payout,');
  });

  test('a line that is paid names its transaction and the checkpoint, in the answer and in the file (rulings R9)', async () => {
    const entry = (await ledgerOf('kind=payout')).find(({ digest }) => digest === paidBy)!;
    const [line] = dataOf(payoutAnswer, await json(`/api/payouts/${october.payout}`)).found;
    expect(line).toMatchObject({ state: 'paid', payments: [{ digest: paidBy, checkpoint: entry.checkpoint }] });
    const [head, ...rows] = (await textOf(`/api/payouts/${october.payout}/lines.csv`)).trimEnd().split('\r\n');
    expect(head).toMatch(/,digest,checkpoint$/);
    expect(rows.every((row) => row.endsWith(`,${paidBy},${entry.checkpoint}`))).toBe(true);
  });

  test('the feed has what was published, withdrawn and paid, each once and with its page', async () => {
    const feed = await textOf('/feed.atom');
    const entries = [...feed.matchAll(/<entry>.*?<\/entry>/g)]
      .map(([entry]) => entry)
      .filter((entry) => entry.includes(':payout:'));
    const ids = entries
      .map((entry) => /payout:(\d+:\w+)/.exec(entry)?.[1] ?? '')
      .toSorted((one, other) => (one < other ? -1 : 1));
    expect(ids).toEqual(
      [
        `${october.payout}:published`,
        `${october.payout}:paid`,
        `${withdrawn.payout}:published`,
        `${withdrawn.payout}:withdrawn`,
        `${november.payout}:published`,
      ].toSorted((one, other) => (one < other ? -1 : 1)),
    );
    const paid = entries.find((entry) => entry.includes(`${october.payout}:paid`));
    expect(feed).toContain(`Payout published: ${escaped}, 0.010000007 SUI for each of`);
    expect(paid).toContain(`Payout paid: ${escaped}, 0.010000007 SUI for each of`);
    expect(paid).toContain(`href="${product.url}/payouts/${october.payout}"`);
  });
});
