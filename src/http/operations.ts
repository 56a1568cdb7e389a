import { createHash, timingSafeEqual } from 'node:crypto';

import type { FastifyInstance, FastifyReply, RouteHandlerMethod } from 'fastify';

import { patternOf } from './unknown-path.ts';
import type { Metrics } from './metrics.ts';
import { isFromThisMachine } from './origin-check.ts';

/** Whether this copy can do its work; `reason` is a sentence for the operator. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

export interface OperationsDeps {
  readonly metrics: Metrics;
  /** Who sends it may read /metrics; null: who asks from this machine. */
  readonly metricsToken: string | null;
  readonly readiness: () => Promise<Readiness> | Readiness;
}

/** What an operator and their tools ask: is it alive, is it ready, how is it doing. */
export function registerOperations(app: FastifyInstance, deps: OperationsDeps): void {
  const answerAt = (url: string, handler: RouteHandlerMethod): void => {
    app.route({ method: ['GET', 'HEAD'], url, config: { access: 'public', writtenAs: patternOf(url) }, handler });
  };
  answerAt('/healthz', (_request, reply) => sendUnkept(reply, 200, { status: 'alive' }));
  answerAt('/readyz', async (_request, reply) => {
    const readiness = await deps.readiness();
    if (readiness.ready) return sendUnkept(reply, 200, { status: 'ready' });
    return sendUnkept(reply, 503, { message: readiness.reason, code: 'not-ready' });
  });
  const { metrics, metricsToken } = deps;
  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    config: { access: 'public', writtenAs: patternOf('/metrics'), cost: 'on-demand' },
    onRequest: async (request, reply) => {
      if (metricsToken === null ? isFromThisMachine(request) : isBearer(request.headers.authorization, metricsToken)) {
        return undefined;
      }
      return sendUnkept(
        reply.header('WWW-Authenticate', 'Bearer'),
        401,
        metricsToken === null ? notFromHere : tokenNeeded,
      );
    },
    handler: async (_request, reply) => {
      const { contentType, text } = await metrics.render();
      return reply.header('Cache-Control', 'no-store').type(contentType).send(text);
    },
  });
}

const tokenNeeded = { message: 'Send the metrics token as a bearer.', code: 'metrics-token-needed' };
const notFromHere = {
  message: 'Without METRICS_TOKEN these figures are answered to this machine alone. Set it and send it as a bearer.',
  code: 'metrics-token-needed',
};

function sendUnkept(reply: FastifyReply, status: number, body: Readonly<Record<string, string>>): FastifyReply {
  reply.code(status).header('Cache-Control', 'no-store').type('application/json; charset=utf-8');
  return reply.send(JSON.stringify(body));
}

/** Compares digests in constant time, so that neither the token nor its length leaks through timing. */
function isBearer(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
