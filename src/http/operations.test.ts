import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as zMini from 'zod/mini';

import { until } from '../../tests/support/until.ts';
import type { Readiness } from '../db/outage.ts';
import { described } from '../shared/answer-fields.ts';
import { parsed, wholeNumber } from '../shared/parsed-text.ts';
import { createMetrics } from './operations.ts';
import type { Route } from './route.ts';
import { sampleRoutes, startTestServer } from '../../tests/support/test-server.ts';

describe('the operator endpoints', () => {
  it('/healthz says that the process is alive, /readyz whether it can work', async () => {
    let readiness: Readiness = { ready: false, reason: 'The database does not answer.' };
    const app = await startTestServer({ readiness: () => readiness });
    expect((await app.ask('/healthz')).status).toBe(200);
    const waiting = await app.ask('/readyz');
    expect([waiting.status, JSON.parse(waiting.text)]).toEqual([
      503,
      { message: 'The database does not answer.', code: 'not-ready' },
    ]);
    readiness = { ready: true };
    expect((await app.ask('/readyz')).status).toBe(200);
    await app.server.stop();
  });

  it('/metrics shows answers by route, upstream calls, the event loop and the given gauges', async () => {
    let ageSeconds: number | null = null;
    const metrics = createMetrics();
    metrics.addGauge('treasury_snapshot_age_seconds', 'Age', () => ageSeconds);
    metrics.onAttempt({ upstream: 'The marketplace', operation: 'bids', outcome: 'timeout', durationMs: 700 });
    const app = await startTestServer({ metrics });
    await app.ask('/api/hello');
    expect((await app.ask('/metrics')).text).not.toMatch(/^treasury_snapshot_age_seconds/m);
    ageSeconds = 12;
    const { text, headers } = await app.ask('/metrics');
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/api\/hello",status="200"\} 1/);
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toMatch(/upstream_call_seconds_sum\{.*outcome="timeout"\} 0.7/);
    expect(text).toMatch(/^treasury_snapshot_age_seconds 12$/m);
    await app.server.stop();
  });

  it('/metrics is rendered once for all simultaneous requests, and again for later ones, even after a failure', async () => {
    let finish: (outcome: number | Error) => void = () => {};
    let made = 0;
    const metrics = createMetrics();
    metrics.addGauge('rocks', 'Rocks', () => {
      made += 1;
      return new Promise<number>((resolve, reject) => {
        finish = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      });
    });
    const app = await startTestServer({ metrics });
    const askMeanwhile = async (outcome: number | Error): Promise<readonly number[]> => {
      const answers = Array.from({ length: 20 }, () => app.ask('/metrics'));
      // Sent after them and answered while they wait.
      expect((await app.ask('/healthz')).status).toBe(200);
      await until('it is being made', () => made > 0);
      finish(outcome);
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(new Set(await askMeanwhile(1))).toEqual(new Set([200]));
    expect(made).toBe(1);
    made = 0;
    expect(new Set(await askMeanwhile(new Error('too dear')))).toEqual(new Set([500]));
    made = 0;
    expect(new Set(await askMeanwhile(2))).toEqual(new Set([200]));
    await app.server.stop();
  });

  it('/metrics without a token is only for this machine, and never through a proxy', async () => {
    const app = await startTestServer();
    const statusWith = async (headers: Record<string, string>): Promise<number> =>
      (await app.ask('/metrics', { headers })).status;
    expect(await statusWith({})).toBe(200);
    expect(await statusWith({ host: 'localhost:3000' })).toBe(200);
    for (const headers of [
      { 'x-forwarded-for': '192.0.2.7' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-real-ip': '192.0.2.7' },
      { forwarded: 'for=192.0.2.7' },
      { via: '1.1 cave' },
      { 'x-forwarded-proto': 'https' },
      { host: 'sui.rocks' },
      { host: 'localhost.evil.example' },
    ]) {
      const { status, text } = await app.ask('/metrics', { headers });
      expect([headers, status, JSON.parse(text)]).toEqual([
        headers,
        401,
        { message: expect.stringContaining('METRICS_TOKEN'), code: 'metrics-token-needed' },
      ]);
    }
    await app.server.stop();
  });

  it('/metrics asks for its token when one is set', async () => {
    const app = await startTestServer({ metricsToken: 'token-of-the-cave' });
    const statusWith = async (authorization: string): Promise<number> =>
      (await app.ask('/metrics', { headers: { authorization } })).status;
    expect((await app.ask('/metrics')).status).toBe(401);
    expect(await statusWith('Bearer token-of-the-cav')).toBe(401);
    expect(await statusWith('Basic token-of-the-cave')).toBe(401);
    expect(await statusWith('Bearer token-of-the-cave')).toBe(200);
    await app.server.stop();
  });
});

interface Described {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, DescribedCall>>;
  readonly components: { readonly schemas: Record<string, Record<string, unknown>> };
}
interface DescribedCall {
  readonly operationId: string;
  readonly security: unknown[];
  readonly parameters?: readonly { name: string; in: string; required: boolean }[];
  readonly responses: Record<string, { content: Record<string, { schema: Record<string, unknown> }> }>;
}

describe('/api/openapi.json', () => {
  it('describes exactly the routes, with their parameters and their access', async () => {
    const app = await startTestServer();
    const described = JSON.parse((await app.ask('/api/openapi.json')).text) as Described;
    expect(described.openapi).toBe('3.1.0');
    const calls = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
    expect(calls.sort()).toEqual([...sampleRoutes.map(nameOf), 'GET /api/openapi.json'].sort());
    expect(described.paths['/api/days']?.get?.parameters).toMatchObject([
      { name: 'days', in: 'query', required: false },
    ]);
    expect(described.paths['/api/echo/{id}']?.post?.parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
      { name: 'if-match', in: 'header', required: false },
    ]);
    expect(described.paths['/api/echo/{id}']?.post?.operationId).toBe('postEchoId');
    expect(described.paths['/api/hello']?.get?.security).toEqual([]);
    expect(described.paths['/api/admin']?.get?.security).toEqual([{ session: ['admin'] }]);
    await app.server.stop();
  });

  it('says of parameters, fields and failures what their schemas say', async () => {
    const route: Route = {
      ...sampleRoutes.find(({ path }) => path === '/api/hello')!,
      query: z.object({ page: parsed('page must be a whole number.', wholeNumber(9)).default(1) }),
      answer: z.object({ floorMist: described(zMini.nullable(zMini.string()), 'null: not known') }),
    };
    const app = await startTestServer({ routes: [route] });
    const { paths, components } = JSON.parse((await app.ask('/api/openapi.json')).text) as Described;
    const call = paths['/api/hello']?.get;
    expect(call?.parameters).toMatchObject([{ name: 'page', description: 'page must be a whole number.' }]);
    expect(JSON.stringify(call?.responses['200'])).toContain('"description":"null: not known"');
    expect(call?.responses['default']?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/Failure',
    });
    expect(JSON.stringify(components.schemas.Failure)).toContain('One sentence a person can act on');
    await app.server.stop();
  });

  it('is a ready answer like a page, not compressed again for each caller', async () => {
    const app = await startTestServer();
    const { headers } = await app.ask('/api/openapi.json', { headers: { 'accept-encoding': 'br' } });
    // A ready answer has a strong tag, an answer made for one caller a weak one.
    expect([headers['content-encoding'], headers.etag]).toEqual(['br', expect.stringMatching(/^"/)]);
    await app.server.stop();
  });

  it('fits what the server answers', async () => {
    const app = await startTestServer();
    const described = JSON.parse((await app.ask('/api/openapi.json')).text) as Described;
    const failure = z.fromJSONSchema(described.components.schemas.Failure!);
    for (const [path, { get }] of Object.entries(described.paths)) {
      const content = get?.responses['200']?.content['application/json'];
      if (content === undefined) continue;
      const { status, text } = await app.ask(path);
      const schema = status < 400 ? z.fromJSONSchema(content.schema) : failure;
      expect([path, schema.safeParse(JSON.parse(text)).error]).toEqual([path, undefined]);
    }
    await app.server.stop();
  });
});
