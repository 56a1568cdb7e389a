import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';

import { expect, it } from 'vitest';
import { z } from 'zod';

import type { Route } from './route.ts';
import { startTestServer } from '../../tests/support/test-server.ts';

const deferred = (): { promise: Promise<void>; resolve: () => void } => Promise.withResolvers<void>();

const slowRoute = (arrived: () => void, release: Promise<void>): Route => ({
  method: 'GET',
  path: '/api/slow',
  access: 'public',
  summary: 'Slow',
  answer: z.string(),
  handle: async () => {
    arrived();
    await release;
    return { data: 'finished' };
  },
});

it('a stop lets a running answer finish, accepts no new connections, and then ends', async () => {
  const arrival = deferred();
  const release = deferred();
  const app = await startTestServer({ routes: [slowRoute(arrival.resolve, release.promise)] });
  const running = app.ask('/api/slow');
  await arrival.promise;
  const stopped = app.server.stop();
  await expect(app.ask('/')).rejects.toThrow(/ECONNREFUSED/);
  release.resolve();
  expect((await running).text).toBe('{"data":"finished"}');
  await stopped;
});

it('a stop does not wait for idle keep-alive connections', async () => {
  const app = await startTestServer({ limits: { stopWithinMs: 60_000 } });
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: app.port, path: '/nft', agent });
    request.on('error', reject).on('response', (response) => response.resume().on('end', resolve));
    request.end();
  });
  await app.server.stop();
  agent.destroy();
});

it('a stop closes a keep-alive connection as soon as its answer is sent', async () => {
  const arrival = deferred();
  const release = deferred();
  const routes = [slowRoute(arrival.resolve, release.promise)];
  const app = await startTestServer({ routes, limits: { stopWithinMs: 60_000 } });
  const answered = app.askRaw('GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrival.promise;
  const stopped = app.server.stop();
  release.resolve();
  expect(await answered).toMatch(/^HTTP\/1\.1 200 .*finished/s);
  await stopped;
});

it('a client that sends another request during the stop learns that this answer is the last', async () => {
  const arrival = deferred();
  const release = deferred();
  const routes = [slowRoute(arrival.resolve, release.promise)];
  const app = await startTestServer({ routes, limits: { stopWithinMs: 60_000 } });
  const socket = connect(app.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write('GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrival.promise;
  const stopped = app.server.stop();
  socket.write('GET /nft HTTP/1.1\r\nHost: x\r\n\r\n');
  // Once a new connection is refused, the event loop has turned and the second request has arrived.
  await expect(app.ask('/')).rejects.toThrow(/ECONNREFUSED/);
  release.resolve();
  await Promise.all([stopped, once(socket, 'close')]);
  expect(text).toMatch(/finished.*HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s);
});

it('a stop cuts off answers that do not finish in time', async () => {
  const arrival = deferred();
  const app = await startTestServer({
    limits: { stopWithinMs: 50 },
    routes: [slowRoute(arrival.resolve, new Promise(() => {}))],
  });
  const cut = expect(app.ask('/api/slow')).rejects.toThrow(/socket hang up|ECONNRESET/);
  await arrival.promise;
  await app.server.stop();
  await cut;
});
