import { request } from 'node:http';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { plain } from './plain.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const order = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.urls.console}/control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
async function done<T>(path: string, body: unknown = {}): Promise<T> {
  const answer = await order(path, body);
  const reply = (await answer.json()) as { data: T; message?: string };
  if (!answer.ok) throw new Error(reply.message);
  return reply.data;
}
const balance = async (coinType?: string) =>
  (
    await new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox.urls.sui }).getBalance({
      owner: sandbox.facts.treasuryAddress,
      ...(coinType !== undefined && { coinType }),
    })
  ).balance;

type NftReply = { id: string; number: number };

describe('the control interface drives the world', () => {
  test('a balance, with amounts as decimal strings of base units', async () => {
    await done('set-balance', { coinType: '0x2::sui::SUI', coinBalance: '18000000000000000000', addressBalance: 1 });
    expect(await balance()).toMatchObject({ balance: '18000000000000000001', addressBalance: '1' });
  });

  test('a new coin, its balance and its price', async () => {
    const coinType = '0x77::gem::GEM';
    await done('add-coin', { coinType, metadata: { symbol: 'GEM', name: 'Gem', decimals: 4 } });
    await done('set-balance', { coinType, coinBalance: '12345' });
    await done('set-price', { coinType, priceUsd: '2.5', confidence: 0.95 });
    const { coinType: canonical, balance: amount } = await balance(coinType);
    expect(amount).toBe('12345');
    const quote = await (await fetch(`${sandbox.urls.prices}/prices/current/sui:${canonical}`)).json();
    expect(quote).toMatchObject({ coins: { [`sui:${canonical}`]: { price: 2.5, decimals: 4, symbol: 'GEM' } } });
  });

  test('mint, list, relist, sell, move, unlist, bid, accept', async () => {
    const treasury = sandbox.facts.treasuryAddress;
    const rock = await done<NftReply>('mint', { address: treasury, into: 'kiosk' });
    expect(rock.number).toBe(413);
    await done('list', { nftId: rock.id, priceMist: '15000000000' });
    await done('relist', { nftId: rock.id, priceMist: '14000000000' });
    await done('sell', { nftId: rock.id, buyer: '0x5' });
    await done('move-nft', { nftId: rock.id, address: treasury });
    await done('list', { nftId: rock.id, priceMist: '15000000000' });
    await done('unlist', { nftId: rock.id });
    const bid = await done<{ id: string }>('bid', { nftId: rock.id, bidder: '0x6', priceMist: '11000000000' });
    await done('accept-bid', { bidId: bid.id });
    const types = sandbox.world.state.actions.slice(-9).map((action) => action.type);
    expect(types).toEqual(['mint', 'list', 'relist', 'buy', 'transfer', 'list', 'unlist', 'solo-bid', 'accept-bid']);
  });

  test('floor rules and verification', async () => {
    await done('set-floor-rule', { collection: 'rocks', rule: { kind: 'fixed', floorMist: null } });
    expect(sandbox.world.facts('rocks').floorMist).toBeNull();
    await done('set-verified', { collection: 'rocks', verified: false });
    expect(sandbox.world.state.collections.get('rocks')?.verified).toBe(false);
  });

  test('reset restores the seed byte for byte', async () => {
    const before = JSON.stringify(plain(sandbox.world.state));
    await done('mint', { address: '0x1' });
    await done('reset');
    expect(JSON.stringify(plain(sandbox.world.state))).toBe(before);
  });

  test('faults are set, read and cleared', async () => {
    await done('faults', { service: 'prices', kind: '503', times: 1 });
    await done('latency', { service: 'market', latencyMs: 5 });
    const read = (await (await fetch(`${sandbox.urls.console}/control/faults`)).json()) as { data: unknown };
    expect(read.data).toMatchObject({ prices: { faults: [{ kind: '503', times: 1 }] }, market: { latencyMs: 5 } });
    await done('faults/clear');
    expect(sandbox.faults.of('prices').faults).toEqual([]);
  });

  test('the console still answers when everything else is refused', async () => {
    for (const service of sandbox.faults.services()) await done('faults', { service, kind: 'refused' });
    await done('faults/clear');
    expect((await balance()).balance).not.toBe('0');
  });
});

describe('the control interface refuses', () => {
  test('a foreign origin', async () => {
    expect((await order('reset', {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await order('reset', {}, { origin: sandbox.urls.console })).status).toBe(200);
  });

  test('a body that is not sent as JSON, as a form of another site would be', async () => {
    expect((await order('reset', {}, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('a foreign host name that points to this machine', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(sandbox.urls.console);
      request({ host: '127.0.0.1', port, path: '/', headers: { host: 'rebound.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  test.each([
    ['unknown fields by name', 'set-balance', { coinType: '0x2::sui::SUI', gold: 1 }, 400, 'gold'],
    ['amounts that are not whole numbers', 'set-balance', { coinType: '0x2::sui::SUI', coinBalance: '1.5' }, 400, ''],
    ['coins that do not exist', 'set-balance', { coinType: '0x9::a::B', coinBalance: '1' }, 409, 'No such coin'],
    ['services that do not exist', 'faults', { service: 'moon', kind: '500' }, 409, 'Known services: sui'],
    ['commands that do not exist', 'dance', {}, 404, 'dance'],
    ['a name that every object inherits', 'constructor', {}, 404, 'constructor'],
    ['an inherited name for Telegram', 'telegram/toString', {}, 404, 'toString'],
  ])('%s', async (_what, path, body, status, message) => {
    const answer = await order(path, body);
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { message: string }).message).toContain(message);
  });
});

describe('the console page', () => {
  test('escapes text from the world and allows no foreign or inline script', async () => {
    const answer = await fetch(`${sandbox.urls.console}/`);
    const text = await answer.text();
    expect(answer.headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'self'; script-src 'self'",
    );
    expect(text).toContain('&lt;b&gt;FREE&lt;/b&gt;');
    expect(text).not.toContain('<b>FREE');
    expect(text).not.toMatch(/<script(?! src)|style="|onclick/);
  });

  test('serves a picture for each rock and none for a 556th', async () => {
    const picture = (number: number) => fetch(`${sandbox.urls.console}/image/rock/${number}.svg`);
    expect((await picture(555)).headers.get('content-type')).toBe('image/svg+xml');
    expect((await picture(556)).status).toBe(404);
    for (const name of ['nothing', 'constructor', '__proto__']) {
      expect((await fetch(`${sandbox.urls.console}/image/odd/${name}`)).status, name).toBe(404);
    }
  });
});
