import type { FastifyInstance } from 'fastify';

import type { Logger } from '../platform/logger.ts';
import type { Metrics } from './metrics.ts';

/** One log line for each API request and one observation for each answer. Routes, never addresses: those can hold tokens. */
export function watchAnswers(app: FastifyInstance, { metrics, logger }: { metrics: Metrics; logger: Logger }): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const [method, status, elapsedMs] = [request.method, reply.statusCode, Math.round(reply.elapsedTime)];
    metrics.observe({ method, route, status, seconds: reply.elapsedTime / 1_000 });
    if (request.routeOptions.config.isApi === true || request.url.startsWith('/api')) {
      logger.info({ requestId: request.id, method, route, status, elapsedMs }, 'answered');
    }
  });
}
