import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { sampleFindReady, sampleRoutes, startTestServer, type TestServer } from '../../tests/support/test-server.ts';

let app: TestServer;
beforeAll(async () => {
  app = await startTestServer();
});
afterAll(() => app.server.stop());

/** Routes that fail on purpose, to test the failures themselves. */
const failsOnPurpose = /^\/api\/(?:misfit|broken|unavailable)/;
const knownPaths = [
  ...sampleFindReady.keys(),
  ...sampleRoutes.map(({ path }) => path),
  '/healthz',
  '/readyz',
  '/metrics',
];

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map(encodeURIComponent.bind(null)).filter(Boolean),
  fc.constantFrom('%', '%2e%2e%2f', '%00', '%ff', '..', "'", '<script>', '{', '[]', '__proto__', 'x'.repeat(600)),
  fc.stringMatching(/^[!-~]{0,30}$/),
);
const safely = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  arbitrary.map((text) => text.replaceAll(/[^!-~]/g, '%20'));
const wellFormed = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((text) => encodeURIComponent(text.toWellFormed()));

const requests = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'),
  path: fc
    .tuple(
      fc.constantFrom(...knownPaths, '/api/', '/assets/', '/'),
      safely(fc.oneof(fc.constant(''), wellFormed, strange)),
    )
    .map(([known, more]) => known.replace('{id}', more) + (known.includes('{id}') ? '' : more)),
  query: fc.option(safely(fc.oneof(wellFormed, strange)), { nil: undefined }),
  headers: fc.dictionary(
    fc.constantFrom(
      'accept-encoding',
      'if-none-match',
      'content-type',
      'origin',
      'cookie',
      'x-request-id',
      'authorization',
      'range',
    ),
    fc.oneof(
      fc.constantFrom('application/json', 'text/plain', '*', 'br;q=', '""', ';;;'),
      fc.stringMatching(/^[!-~]{0,40}$/),
    ),
  ),
  body: fc.option(fc.oneof(fc.json(), fc.string({ maxLength: 200 }), fc.constant('{"count":1e999}')), {
    nil: undefined,
  }),
});

it('no request, however malformed, is answered with a 5xx or hangs', async () => {
  const property = fc.asyncProperty(requests, async ({ method, path, query, headers, body }) => {
    if (failsOnPurpose.test(path)) return;
    const target = query === undefined ? path : `${path}?${query}`;
    const {
      status,
      text,
      headers: sent,
    } = await app.ask(target, { method, headers, ...(body === undefined ? {} : { body }) });
    expect(status).toBeLessThan(500);
    expect(status).toBeGreaterThanOrEqual(200);
    if (status >= 400 && method !== 'HEAD' && String(sent['content-type']).startsWith('application/json')) {
      expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(['code', 'message']);
    }
  });
  await fc.assert(property, { seed: 555, numRuns: 1_500 });
});
