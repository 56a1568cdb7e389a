import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { rocksAnswer } from '../../src/market/rocks-contract.ts';
import {
  type AdminPayout,
  adminPayout,
  adminPayoutsAnswer,
  payoutTransactionsAnswer,
  previewAnswer,
} from '../../src/payouts/payout-admin-contract.ts';
import {
  type PayoutAnswer,
  payoutAnswer,
  type PayoutPlan,
  payoutPlan,
  payoutsAnswer,
} from '../../src/payouts/payouts-contract.ts';
import { canonicalJson } from '../../src/shared/canonical-json.ts';
import { type Product, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';
import { dataOf } from '../support/route-request.ts';

const suiType = `0x${'2'.padStart(64, '0')}::sui::SUI`;
const admin = { username: 'ogg', password: 'rock-solid-password' } as const;
const anySui = { mode: 'total', raw: '100000000000' } as const;
const terms = {
  title: 'October',
  reason: 'Revenue of October',
  coinType: suiType,
  amount: anySui,
  leftOut: [],
} as const;

let product: Product;
let cookie = '';
beforeAll(async () => {
  product = await startProduct({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } });
  const login = await fetch(`${product.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';', 1).join(''))
    .join('; ');
  await until('owners and treasury are read', async () => (await preview()).outcome !== null, 90_000);
});
afterAll(() => product.stop());

/** The owners according to the gallery: rocks in kiosks and listed rocks belong to their people (R8). */
async function ownersByRock(): Promise<Readonly<Record<number, string | undefined>>> {
  const pageOf = async (page: number) => dataOf(rocksAnswer, (await send('GET', `/api/rocks?page=${page}`)).body);
  const { total, pageSize } = await pageOf(1);
  const pages = await Promise.all(Array.from({ length: Math.ceil(total / pageSize) }, (_, at) => pageOf(at + 1)));
  return Object.fromEntries(pages.flatMap(({ rocks }) => rocks.map(({ number, owner }) => [number, owner?.address])));
}

async function send(method: string, path: string, body?: unknown, version?: number) {
  const answer = await fetch(product.url + path, {
    method,
    headers: {
      cookie,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

const preview = async (given: object = {}) =>
  dataOf(previewAnswer, (await send('POST', '/api/admin/payouts/preview', { ...terms, ...given })).body);
const drafted = async (given: object = {}): Promise<AdminPayout> => {
  const { status, body } = await send('POST', '/api/admin/payouts', { ...terms, ...given });
  expect(status).toBe(200);
  return dataOf(adminPayout, body);
};
const seen = async (id: number): Promise<AdminPayout> => {
  const { payouts } = dataOf(adminPayoutsAnswer, (await send('GET', '/api/admin/payouts')).body);
  const found = payouts.find((payout) => payout.id === id);
  if (found === undefined) throw new Error(`There is no payout ${id}`);
  return found;
};
async function withSnapshot(given: object = {}): Promise<AdminPayout> {
  const { id } = await drafted(given);
  expect((await send('POST', `/api/admin/payouts/${id}/snapshot`)).status).toBe(200);
  await until('the snapshot is taken', async () => (await seen(id)).snapshot.askedAt === null, 60_000);
  return seen(id);
}
const publish = ({ id, plan, version }: AdminPayout) =>
  send('POST', `/api/admin/payouts/${id}/publish`, { sha256: plan?.sha256 }, version);
const pageOf = async (id: number, query = ''): Promise<PayoutAnswer> =>
  dataOf(payoutAnswer, (await send('GET', `/api/payouts/${id}${query}`)).body);
const fileOf = async (id: number): Promise<string> =>
  (await fetch(`${product.url}/api/payouts/${id}/plan.json`)).text();
const payByHand = (address: string, raw: string) =>
  product.control('/control/pay', { to: address, coinType: suiType, amount: raw });

describe('rulings R9: a payout is planned, reviewed and published', () => {
  test('the preview says who gets what before anything is stored', async () => {
    const { outcome } = await preview();
    const total = BigInt(outcome?.totalRaw ?? 0);
    expect(total + BigInt(outcome?.remainderRaw ?? 0)).toBe(BigInt(anySui.raw));
    expect(BigInt(outcome?.shareRaw ?? 0) * BigInt(outcome?.rocks ?? 0)).toBe(total);
    expect(outcome).toMatchObject({ transactions: 1, newHolders: null });
    expect(dataOf(adminPayoutsAnswer, (await send('GET', '/api/admin/payouts')).body).payouts).toEqual([]);
  });

  test('the published plan is canonical, is the one that was shown before, hash included, and pays every rock except the treasury’s', async () => {
    const draft = await withSnapshot();
    expect(draft).toMatchObject({ state: 'draft', snapshot: { problem: null } });
    const { body: read } = await send('GET', `/api/admin/payouts/${draft.id}/plan.json`);
    expect((await publish(draft)).status).toBe(200);
    const file = await fileOf(draft.id);
    expect(createHash('sha256').update(file).digest('hex')).toBe(draft.plan?.sha256);
    expect(canonicalJson(read)).toBe(file);
    const plan: PayoutPlan = payoutPlan.parse(JSON.parse(file));
    const given = [...plan.lines, ...plan.leftOut].flatMap(({ address, rocks }) =>
      rocks.map((rock) => [rock, address]),
    );
    expect(Object.fromEntries(given)).toEqual(await ownersByRock());
    expect(given).toHaveLength(plan.snapshot.rocks);
    expect(plan.leftOut.map(({ address }) => address)).toEqual([product.sandbox.facts.treasuryAddress]);
    const { payouts } = dataOf(payoutsAnswer, (await send('GET', '/api/payouts')).body);
    expect(payouts[0]).toMatchObject({ id: draft.id, state: 'published', paidRaw: '0', sha256: draft.plan?.sha256 });
  });

  test('a published plan can no longer be changed, only withdrawn with a reason that stays', async () => {
    const draft = await withSnapshot({ title: 'November' });
    await publish(draft);
    for (const [method, path, body] of [
      ['PUT', '', terms],
      ['DELETE', '', undefined],
      ['POST', '/snapshot', undefined],
      ['POST', '/publish', { sha256: draft.plan?.sha256 }],
    ] as const) {
      const { status, body: answer } = await send(method, `/api/admin/payouts/${draft.id}${path}`, body);
      expect({ status, answer }).toMatchObject({ status: 403, answer: { code: 'not-a-draft' } });
    }
    expect((await send('POST', `/api/admin/payouts/${draft.id}/withdraw`, { reason: 'Wrong month' })).status).toBe(200);
    expect(await pageOf(draft.id)).toMatchObject({ state: 'withdrawn', withdrawn: { reason: 'Wrong month' } });
  });

  test('a plan that was not seen is not published: no snapshot, another hash, a version that somebody has changed', async () => {
    const bare = await drafted();
    const none = await send('POST', `/api/admin/payouts/${bare.id}/publish`, { sha256: 'a'.repeat(64) });
    expect(none).toMatchObject({ status: 403, body: { code: 'no-snapshot' } });
    const draft = await withSnapshot();
    const other = await send('POST', `/api/admin/payouts/${draft.id}/publish`, { sha256: 'a'.repeat(64) });
    expect(other).toMatchObject({ status: 403, body: { code: 'another-plan' } });
    await send('PUT', `/api/admin/payouts/${draft.id}`, { ...terms, title: 'Changed' });
    const stale = await publish(draft);
    expect(stale).toMatchObject({ status: 409, body: { code: 'stale', current: { terms: { title: 'Changed' } } } });
    expect((await seen(draft.id)).plan).toBeNull();
  });

  test.each([
    ['an amount of 0', { amount: { mode: 'total', raw: '0' } }],
    ['a fraction', { amount: { mode: 'total', raw: '1.5' } }],
    ['a title of invisible letters', { title: '\u200b' }],
    ['an invalid address', { leftOut: [{ address: '0x1', reason: 'x' }] }],
    ['an invalid coin type', { coinType: 'SUI' }],
  ])('%s is refused with one sentence, and nothing is stored', async (_name, given) => {
    const before = dataOf(adminPayoutsAnswer, (await send('GET', '/api/admin/payouts')).body).payouts.length;
    const { status, body } = await send('POST', '/api/admin/payouts', { ...terms, ...given });
    expect({ status, message: typeof (body as { message?: unknown }).message }).toEqual({
      status: 400,
      message: 'string',
    });
    expect(dataOf(adminPayoutsAnswer, (await send('GET', '/api/admin/payouts')).body).payouts).toHaveLength(before);
  });

  test('terms that can never be paid are refused with the sentence of the preview, and nothing is stored', async () => {
    const before = dataOf(adminPayoutsAnswer, (await send('GET', '/api/admin/payouts')).body).payouts.length;
    const draft = await drafted();
    for (const [says, given] of [
      [/^The treasury has/, { amount: { mode: 'total', raw: `1${'0'.repeat(25)}` } }],
      [/./, { amount: { mode: 'total', raw: '1' } }],
      [/^The treasury no longer holds this coin/, { coinType: `0x${'9'.repeat(64)}::no::NO` }],
      [/./, { leftOut: [{ address: `0x${'9'.repeat(64)}`, reason: 'x' }] }],
      [/^Rock 1 has an owner/, { leftOut: [{ address: null, rocks: [1], reason: 'x' }] }],
    ] as const) {
      const { message, about } = await preview(given);
      expect(message).toMatch(says);
      expect(about).not.toBeNull();
      for (const [method, path] of [
        ['POST', ''],
        ['PUT', `/${draft.id}`],
      ] as const) {
        const refused = await send(method, `/api/admin/payouts${path}`, { ...terms, ...given });
        expect(refused).toMatchObject({ status: 403, body: { code: 'no-plan', message } });
      }
    }
    expect((await seen(draft.id)).version).toBe(draft.version);
    const { payouts } = dataOf(adminPayoutsAnswer, (await send('GET', '/api/admin/payouts')).body);
    expect(payouts).toHaveLength(before + 1);
  });
});

describe('only the chain says what became of a payout', () => {
  test('a line that was paid by hand is found by rock and by address, and counts as paid twice when paid again', async () => {
    const draft = await withSnapshot({ title: 'December', amount: { mode: 'per-rock', raw: '1234567' } });
    await publish(draft);
    const [line] = (await pageOf(draft.id)).found;
    if (line === undefined) throw new Error('There is no line');
    await payByHand(line.address, line.raw);
    const stateOfLine = async () => (await pageOf(draft.id, `?rock=${line.rocks[0]}`)).found[0]?.state;
    await until('the line is paid', async () => (await stateOfLine()) === 'paid', 60_000);
    const page = await pageOf(draft.id, `?address=${line.address}`);
    expect(page).toMatchObject({ state: 'paying', total: 1, lines: { paid: 1 }, paidRaw: line.raw });
    const refused = await send('POST', `/api/admin/payouts/${draft.id}/withdraw`, { reason: 'Too late' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'paid' } });
    await payByHand(line.address, line.raw);
    await until('the line is paid twice', async () => (await stateOfLine()) === 'paid-twice', 60_000);
    const csv = await (await fetch(`${product.url}/api/payouts/${draft.id}/lines.csv`)).text();
    expect(csv.split('\r\n').filter((row) => row.startsWith(line.address))).toHaveLength(2);
  });

  test('a transaction built for two tabs at once, signed in a wallet and sent twice pays the payout', async () => {
    const draft = await withSnapshot({ title: 'January', amount: { mode: 'per-rock', raw: '7654321' } });
    await publish(draft);
    const path = `/api/admin/payouts/${draft.id}/transactions`;
    const tabs = await Promise.all([send('POST', path), send('POST', path)]);
    const [first, second] = tabs.map(({ body }) => dataOf(payoutTransactionsAnswer, body).transactions[0]);
    expect(second).toEqual(first);
    const { digest, bytes, lines } = first ?? { digest: '', bytes: null, lines: 0 };
    expect(lines).toBe((await pageOf(draft.id)).holders);
    const order = { person: 'Treasury', bytes };
    const { data } = (await product.control('/control/wallets/sign-transaction', order)) as {
      data: { signature: string };
    };
    const signed = { signature: data.signature };
    const sent = await Promise.all([1, 2].map(() => send('POST', `${path}/${digest}/send`, signed)));
    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
    const page = await pageOf(draft.id);
    expect(page).toMatchObject({ state: 'paid', paidRaw: page.totalRaw, lines: { open: 0, paid: lines }, strays: [] });
  });

  test('a payout that does not exist or is a draft is a 404, and an invalid number is a 400', async () => {
    const draft = await drafted();
    expect((await send('GET', `/api/payouts/${draft.id}`)).status).toBe(404);
    expect((await send('GET', '/api/payouts/999999')).status).toBe(404);
    for (const path of ['0', '-1', 'abc', '1?page=0', '1?rock=x', '1?address=0x1']) {
      expect((await send('GET', `/api/payouts/${path}`)).status).toBe(400);
    }
  });
});
