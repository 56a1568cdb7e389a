import { connect, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '../support/test-server.ts';

/** The limits of production, but shorter. */
const limits = { headersWithinMs: 300, requestWithinMs: 600, checkConnectionsEveryMs: 100 };

let app: TestServer;
beforeEach(async () => {
  app = await startTestServer({ limits });
});
afterEach(() => app.server.stop());

const head = (lines: string): string =>
  `POST /api/echo/1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${lines}\r\n\r\n`;

/** Opens a connection that begins with these bytes; `closed` is what came back until it was closed. */
function open(bytes: string): { readonly socket: Socket; readonly closed: Promise<string> } {
  const socket = connect(app.port, '127.0.0.1', () => socket.write(bytes));
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // Writing to a connection that the server has closed is an error.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  return { socket, closed };
}

describe('a slow client', () => {
  test('that sends its headers line by line is answered 408 and disconnected', async () => {
    const { socket, closed } = open('GET /nft HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => socket.write('X-Slow: 1\r\n'), 50);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 .*"request-timeout"/s);
    clearInterval(drip);
  });

  test('that never ends its body is disconnected too', async () => {
    for (const [lines, piece] of [
      ['Content-Length: 60000', ' '],
      ['Transfer-Encoding: chunked', '1\r\n \r\n'],
    ] as const) {
      const { socket, closed } = open(head(lines));
      const drip = setInterval(() => socket.write(piece), 50);
      expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
      clearInterval(drip);
    }
  });

  test('keeps no one waiting, not even three hundred of them', async () => {
    const slow = Array.from({ length: 300 }, () => open('GET /nft HTTP/1.1\r\nX-Slow: '));
    expect((await app.ask('/api/hello')).status).toBe(200);
    expect((await app.ask('/nft')).status).toBe(200);
    const answers = await Promise.all(slow.map(({ closed }) => closed));
    expect(answers.filter((text) => !text.startsWith('HTTP/1.1 408'))).toEqual([]);
  });
});

describe('too much', () => {
  test('in the body is refused before it is read: 10 MB that were announced, and endless pieces', async () => {
    const announced = open(head('Content-Length: 10485760'));
    expect(await announced.closed).toMatch(/^HTTP\/1\.1 413 .*"body-too-large"/s);
    const { socket, closed } = open(head('Transfer-Encoding: chunked'));
    const piece = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const flood = setInterval(() => socket.writable && socket.write(piece), 5);
    expect(await closed).toMatch(/^HTTP\/1\.1 413 .*"body-too-large"/s);
    clearInterval(flood);
  });

  test('in the headers is refused: one large, or a flood of small ones', async () => {
    for (const lines of [`X: ${'x'.repeat(20_000)}`, 'A: b\r\n'.repeat(4_000).trimEnd()]) {
      expect(await app.askRaw(head(lines))).toMatch(/^HTTP\/1\.1 431 .*"headers-too-large"/s);
    }
  });
});

describe('a request that two servers could read differently', () => {
  test.each([
    ['names two hosts', 'GET /nft HTTP/1.1\r\nHost: sui.rocks\r\nhost: evil.example\r\nConnection: close\r\n\r\n'],
    ['names two hosts in a call', 'GET /api/hello HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['has two lengths', `${head('Content-Length: 2\r\nContent-Length: 20')}{}`],
    ['has a length and is chunked', `${head('Content-Length: 2\r\nTransfer-Encoding: chunked')}0\r\n\r\n`],
    ['is chunked in an odd way', `${head('Transfer-Encoding: xchunked')}0\r\n\r\n`],
    ['folds a header', 'GET /nft HTTP/1.1\r\nHost: x\r\n evil.example\r\nConnection: close\r\n\r\n'],
    ['has a space before the colon', 'GET /nft HTTP/1.1\r\nHost : x\r\nConnection: close\r\n\r\n'],
    ['has a bare line feed', 'GET /nft HTTP/1.1\nHost: x\nConnection: close\n\n'],
  ])('is refused when it %s', async (_what, bytes) => {
    expect(await app.askRaw(bytes)).toMatch(/^HTTP\/1\.1 400 /);
  });
});
