import { connect } from 'node:net';

import { expect, it } from 'vitest';

import { until } from '../../tests/support/until.ts';
import { createMetrics } from './operations.ts';
import { startTestServer, type TestServer } from './test-server.ts';

interface Made {
  readonly app: TestServer;
  /** Answers that are being made at this moment. */
  readonly running: () => number;
  readonly finishAll: () => void;
  readonly fail: (fails: boolean) => void;
}

/** Metrics that are made when the test says so, for two at once. */
async function startSlowMetrics(): Promise<Made> {
  const waiting = new Set<() => void>();
  let fails = false;
  const metrics = createMetrics();
  metrics.addGauge('rocks', 'Rocks', async () => {
    if (fails) throw new Error('too dear');
    await new Promise<void>((resolve) => waiting.add(resolve));
    return 1;
  });
  const app = await startTestServer({ metrics, limits: { onDemandAtOnce: 2 } });
  return {
    app,
    running: () => waiting.size,
    finishAll: () => {
      for (const finish of waiting) finish();
      waiting.clear();
    },
    fail: (isFailing) => void (fails = isFailing),
  };
}

it('the metrics are made for a few callers at a time: the others learn when to try again, and everything else goes on', async () => {
  const { app, running, finishAll } = await startSlowMetrics();
  const first = app.ask('/metrics', { headers: { 'accept-encoding': 'br' } });
  const second = app.ask('/metrics');
  await until('both are being made', () => running() === 2);
  const { status, headers, text } = await app.ask('/metrics');
  expect([status, headers['retry-after'], headers['cache-control'], JSON.parse(text)]).toEqual([
    503,
    '1',
    'no-store',
    {
      message: 'Too many visitors are asking for this at the same moment. Try again in 1 second.',
      code: 'too-many-at-once',
    },
  ]);
  for (const path of ['/', '/healthz', '/readyz', '/api/openapi.json', '/api/file.csv'])
    expect((await app.ask(path)).status).toBe(200);
  finishAll();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  const again = app.ask('/metrics');
  await until('it is being made', () => running() === 1);
  finishAll();
  expect((await again).status).toBe(200);
  await app.server.stop();
});

it('a place is given back by an answer that fails, and by one whose client has gone, but not before it is made', async () => {
  const { app, running, finishAll, fail } = await startSlowMetrics();
  fail(true);
  for (let count = 0; count < 5; count += 1) expect((await app.ask('/metrics')).status).toBe(500);
  fail(false);
  const sockets = [1, 2].map(() => {
    const socket = connect(app.port, '127.0.0.1', () =>
      socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    );
    return socket;
  });
  await until('both are being made', () => running() === 2);
  for (const socket of sockets) socket.destroy();
  expect((await app.ask('/metrics')).status).toBe(503);
  finishAll();
  const again = app.ask('/metrics');
  await until('it is being made', () => running() === 1);
  finishAll();
  expect((await again).status).toBe(200);
  await app.server.stop();
});

it('who may not read the metrics takes nobody’s place', async () => {
  const { app, running, finishAll } = await startSlowMetrics();
  const asked = [app.ask('/metrics'), app.ask('/metrics')];
  await until('both are being made', () => running() === 2);
  expect((await app.ask('/metrics', { headers: { 'x-forwarded-for': '192.0.2.7' } })).status).toBe(401);
  finishAll();
  await Promise.all(asked);
  await app.server.stop();
});
