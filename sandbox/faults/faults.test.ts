import { connect } from 'node:net';
import { SuiGrpcClient } from '@mysten/sui/grpc';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import type { Fault } from './fault-board.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
afterEach(async () => {
  await sandbox.faults.clear();
  sandbox.requests.reset();
});

const suiPrice = 'sui:0x2::sui::SUI';
const ask = (signal?: AbortSignal) =>
  fetch(`${sandbox.urls.prices}/prices/current/${suiPrice}`, {
    headers: { connection: 'close' },
    ...(signal && { signal }),
  });
const breakPrices = (fault: Fault) => sandbox.faults.set('prices', fault);

const isListening = (url: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

describe('each fault does what its name says', () => {
  test('429 with and without retry-after', async () => {
    await breakPrices({ kind: '429', retryAfterSeconds: 7 });
    expect(await ask()).toMatchObject({ status: 429 });
    expect((await ask()).headers.get('retry-after')).toBe('7');
    await sandbox.faults.clear('prices');
    await breakPrices({ kind: '429' });
    expect((await ask()).headers.get('retry-after')).toBeNull();
  });

  test.each(['500', '503'] as const)('%s', async (kind) => {
    await breakPrices({ kind });
    expect((await ask()).status).toBe(Number(kind));
  });

  test('hang: no answer until the caller gives up, and the call stays in flight until then', async () => {
    await breakPrices({ kind: 'hang' });
    const caller = new AbortController();
    const call = ask(caller.signal);
    await expect.poll(() => sandbox.requests.of('prices').inFlight).toBe(1);
    caller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => sandbox.requests.of('prices').inFlight).toBe(0);
  });

  test('slow: the right answer, late', async () => {
    await breakPrices({ kind: 'slow', delayMs: 150 });
    const startedMs = performance.now();
    const answer = await ask();
    expect(performance.now() - startedMs).toBeGreaterThan(140);
    expect(await answer.json()).toHaveProperty('coins');
  });

  test('drip: the right answer in small pieces', async () => {
    await breakPrices({ kind: 'drip', delayMs: 5 });
    const answer = await ask();
    const pieces: number[] = [];
    const reader = answer.body!.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) pieces.push(read.value.length);
    expect(pieces.length).toBeGreaterThan(5);
  });

  test('truncated: the body ends before its announced length', async () => {
    await breakPrices({ kind: 'truncated' });
    await expect(ask().then((answer) => answer.text())).rejects.toThrow();
  });

  test('malformed: 200 and not JSON', async () => {
    await breakPrices({ kind: 'malformed' });
    const answer = await ask();
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow(SyntaxError);
  });

  test('wrong-types: the same shape with other types', async () => {
    await breakPrices({ kind: 'wrong-types' });
    const { coins } = (await (await ask()).json()) as { coins: Record<string, { price: unknown; symbol: unknown }> };
    expect(coins[suiPrice]).toMatchObject({ price: 'forty-two', symbol: 42 });
  });

  test('empty: 200 without a body', async () => {
    await breakPrices({ kind: 'empty' });
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  });

  test('huge: the right answer after 32 MiB of blanks', async () => {
    await breakPrices({ kind: 'huge' });
    const text = await (await ask()).text();
    expect(text.length).toBeGreaterThan(32 * 1024 * 1024);
    expect(JSON.parse(text)).toHaveProperty('coins');
  });

  test('reset: the connection is reset', async () => {
    await breakPrices({ kind: 'reset' });
    await expect(ask()).rejects.toMatchObject({ cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) } });
  });

  test('refused: the port is closed, and answers again once the fault is cleared', async () => {
    await breakPrices({ kind: 'refused' });
    expect(await isListening(sandbox.urls.prices)).toBe(false);
    await sandbox.faults.clear('prices');
    expect((await ask()).status).toBe(200);
  });

  test('latency is added to every call', async () => {
    sandbox.faults.setLatency('prices', 80);
    const startedMs = performance.now();
    await ask();
    expect(performance.now() - startedMs).toBeGreaterThan(75);
  });
});

describe("Discord's gateway has its own faults", () => {
  const address = () => `${sandbox.urls.discord.replace('http', 'ws')}/?v=10&encoding=json`;
  /** The first message that a bot gets, or how its attempt fails. */
  const firstWord = () =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(address());
      socket.on('message', (data) => {
        resolve((data as Buffer).toString());
        socket.terminate();
      });
      socket.on('unexpected-response', (_request, { statusCode }) => resolve(String(statusCode)));
      socket.on('error', ({ message }) => resolve(message));
    });

  test.each([
    ['503', '503'],
    ['429', '429'],
    ['malformed', '{"op":10,"d":{"heart'],
    ['empty', ''],
    ['reset', 'read ECONNRESET'],
    ['refused', 'socket hang up'],
  ] as const)('%s', async (kind, word) => {
    await sandbox.faults.set('discordGateway', { kind });
    expect(await firstWord()).toBe(word);
    const headers = { authorization: `Bot ${sandbox.facts.discordBotToken}` };
    expect((await fetch(`${sandbox.urls.discord}/api/v10/gateway/bot`, { headers })).status).toBe(200);
    await sandbox.faults.clear('discordGateway');
    expect(await firstWord()).toContain('heartbeat_interval');
  });

  test('a new fault ends the open connections', async () => {
    const socket = new WebSocket(address());
    const ended = new Promise((resolve) => socket.on('close', resolve));
    await new Promise((resolve) => socket.on('message', resolve));
    await sandbox.faults.set('discordGateway', { kind: 'hang' });
    await ended;
  });
});

describe('faults are bounded', () => {
  test('by a number of calls', async () => {
    await breakPrices({ kind: '500', times: 2 });
    const statuses = [await ask(), await ask(), await ask()].map((answer) => answer.status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test('by service: the others keep working', async () => {
    await breakPrices({ kind: '500' });
    expect((await fetch(`${sandbox.urls.pricesFallback}/x`)).status).toBe(404);
  });

  test('by operation', async () => {
    await sandbox.faults.set('sui', { kind: '503', operation: 'StateService/ListBalances' });
    const client = new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox.urls.sui });
    await expect(client.listBalances({ owner: '0x1' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(client.getBalance({ owner: '0x1' })).resolves.toBeDefined();
  });

  test('to known services: an unknown name is rejected', async () => {
    await expect(sandbox.faults.set('moon', { kind: '500' })).rejects.toThrow('Known services: sui, archive, market');
  });
});

describe('the SDK client sees', () => {
  const read = (signal?: AbortSignal) =>
    new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox.urls.sui }).listBalances({
      owner: sandbox.facts.treasuryAddress,
      ...(signal && { signal }),
    });

  test('429 as RESOURCE_EXHAUSTED with its retry-after', async () => {
    await sandbox.faults.set('sui', { kind: '429', retryAfterSeconds: 3 });
    await expect(read()).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED', meta: { 'retry-after': '3' } });
  });

  test('hang as DEADLINE_EXCEEDED once its own signal fires', async () => {
    await sandbox.faults.set('sui', { kind: 'hang' });
    await expect(read(AbortSignal.timeout(60))).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });

  test.each(['truncated', 'malformed', 'empty', 'reset'] as const)(
    '%s as a failure, never as an empty wallet',
    async (kind) => {
      await sandbox.faults.set('sui', { kind });
      await expect(read()).rejects.toThrow();
    },
  );

  test('wrong-types as values that no node would send', async () => {
    await sandbox.faults.set('sui', { kind: 'wrong-types' });
    const { balances } = await read();
    expect(balances[0]).toMatchObject({ coinType: 'not what you asked for', balance: '18446744073709551615' });
  });
});

describe('the public rate limit', () => {
  test('lets 100 calls pass in 30 s at the full node, then asks to wait', async () => {
    const limited = await startSandbox({ rateLimits: true });
    const statuses: number[] = [];
    for (let call = 0; call < 101; call += 1) statuses.push((await fetch(limited.urls.sui)).status);
    const refused = await fetch(limited.urls.sui);
    await limited.stop();
    expect(statuses.filter((status) => status !== 429)).toHaveLength(100);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the request log', () => {
  test('counts calls by operation and records how many ran at once', async () => {
    sandbox.faults.setLatency('prices', 40);
    await Promise.all([ask(), ask(), ask()]);
    const log = sandbox.requests.of('prices');
    expect(log).toMatchObject({ count: 3, inFlight: 0, maxInFlight: 3, byOperation: { current: 3 } });
    expect(log.entries[0]).toMatchObject({ method: 'GET', status: 200, fault: null });
    sandbox.requests.reset();
    expect(sandbox.requests.of('prices').count).toBe(0);
  });
});
