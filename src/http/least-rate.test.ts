import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { until } from '../../tests/support/until.ts';
import { makeReadyAnswer } from './ready/ready-answer.ts';
import { type TestServer, startTestServer } from '../../tests/support/test-server.ts';

/** More than the system buffers for a client that does not read. */
const bodyBytes = 24 * 1_024 * 1_024;

async function startLarge(rateOverMs: number): Promise<TestServer> {
  const body = makeReadyAnswer(randomBytes(bodyBytes), { contentType: 'image/png', cacheControl: 'no-store' });
  const large = { ...body, gzip: body.identity, brotli: body.identity };
  const app = await startTestServer({
    findPage: (path) => (path === '/large' ? large : undefined),
    limits: { leastBytesPerSecond: 1_024, rateOverMs },
  });
  onTestFinished(() => app.server.stop());
  return app;
}

async function asking({ port }: TestServer, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  onTestFinished(() => void socket.destroy());
  return socket;
}

it('a client that reads hardly anything of its answer is disconnected, however often it reads a little', async () => {
  const socket = await asking(await startLarge(300), '/large');
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  await until('the server has closed it', () => {
    socket.read(25);
    // A client that writes learns that its connection is closed. An empty line before a request is ignored (RFC 9112, 2.2).
    if (!isClosed) socket.write('\r\n');
    return isClosed;
  });
});

it('a slow client that keeps reading gets the whole answer, and a connection with nothing to send is kept', async () => {
  const checkedEveryMs = 1_000;
  const app = await startLarge(checkedEveryMs);
  const idle = await asking(app, '/healthz');
  const socket = await asking(app, '/large');
  const startMs = performance.now();
  let received = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received >= bodyBytes) break;
    // Slow enough to be checked three times, but never idle long enough to be closed.
    await delay((3 * checkedEveryMs * chunk.length) / bodyBytes);
  }
  expect(performance.now() - startMs).toBeGreaterThan(2 * checkedEveryMs);
  idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  idle.resume();
  await once(idle, 'end');
});
