import { connect } from 'node:net';

import { expect, it } from 'vitest';
import { z } from 'zod';

import { until } from '../../tests/support/until.ts';
import { createMetrics } from './operations.ts';
import type { Route } from './route.ts';
import { startTestServer, type TestServer } from './test-server.ts';

interface Made {
  readonly app: TestServer;
  /** Answers that are being made at this moment. */
  readonly running: () => number;
  readonly finishAll: () => void;
}

const dear = (path: string, handle: Route['handle']): Route => ({
  method: 'GET',
  path,
  access: 'public',
  cost: 'on-demand',
  summary: path,
  answer: z.object({ data: z.string() }),
  handle,
});

/** Two dear routes whose answers are made until the test says so, and the metrics, which are as dear. */
async function startDear(): Promise<Made> {
  const waiting = new Set<() => void>();
  const handle = async () => {
    await new Promise<void>((resolve) => waiting.add(resolve));
    return { status: 200, body: { data: 'rock '.repeat(1_000) } };
  };
  const failing = () => {
    throw new Error('too dear');
  };
  const app = await startTestServer({
    routes: [dear('/api/dear', handle), dear('/api/dearer', handle), dear('/api/fails', failing)],
    metrics: createMetrics(),
    limits: { onDemandAtOnce: 2 },
  });
  return {
    app,
    running: () => waiting.size,
    finishAll: () => {
      for (const finish of waiting) finish();
      waiting.clear();
    },
  };
}

it('answers made on demand share one bound: the rest is told when to come back, and everything else goes on', async () => {
  const { app, running, finishAll } = await startDear();
  const first = app.ask('/api/dear', { headers: { 'accept-encoding': 'br' } });
  const second = app.ask('/api/dearer');
  await until('both are being made', () => running() === 2);
  for (const path of ['/api/dear', '/api/dearer', '/metrics']) {
    const { status, headers, text } = await app.ask(path);
    expect([path, status, headers['retry-after'], headers['cache-control'], JSON.parse(text)]).toEqual([
      path,
      503,
      '1',
      'no-store',
      {
        message: 'Too many visitors are asking for this at the same moment. Try again in 1 second.',
        code: 'too-many-at-once',
      },
    ]);
  }
  for (const path of ['/', '/healthz', '/readyz', '/api/openapi.json']) expect((await app.ask(path)).status).toBe(200);
  finishAll();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect((await app.ask('/metrics')).status).toBe(200);
  await app.server.stop();
});

it('a place is given back by an answer that fails, and by one whose client has gone, but not before it is made', async () => {
  const { app, running, finishAll } = await startDear();
  for (let count = 0; count < 5; count += 1) expect((await app.ask('/api/fails')).status).toBe(500);
  const sockets = [1, 2].map(() => {
    const socket = connect(app.port, '127.0.0.1', () =>
      socket.write('GET /api/dear HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    );
    return socket;
  });
  await until('both are being made', () => running() === 2);
  for (const socket of sockets) socket.destroy();
  expect((await app.ask('/api/dear')).status).toBe(503);
  finishAll();
  const again = app.ask('/api/dear');
  await until('it is being made', () => running() === 1);
  finishAll();
  expect((await again).status).toBe(200);
  await app.server.stop();
});

it('who may not read the metrics takes nobody’s place', async () => {
  const { app, running, finishAll } = await startDear();
  const asked = [app.ask('/api/dear'), app.ask('/api/dear')];
  await until('both are being made', () => running() === 2);
  expect((await app.ask('/metrics', { headers: { 'x-forwarded-for': '192.0.2.7' } })).status).toBe(401);
  finishAll();
  await Promise.all(asked);
  await app.server.stop();
});
