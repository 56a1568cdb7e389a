import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import type { Readiness } from '../db/outage.ts';
import { patternOf } from './guard-requests.ts';
import { isFromThisMachine } from './client.ts';
import type { Logger } from '../process/logger.ts';

export interface OperationsDeps {
  readonly metrics: Metrics;
  /** Required to read /metrics; null: only this machine may read them. */
  readonly metricsToken: string | null;
  readonly readiness: () => Promise<Readiness> | Readiness;
}

/** For operators and their tools: whether the process is alive, whether it is ready, and its metrics. */
export function registerOperations(app: FastifyInstance, deps: OperationsDeps): void {
  const answerAt = (url: string, handler: RouteHandlerMethod): void => {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { needs: { access: 'public' }, writtenAs: patternOf(url) },
      handler,
    });
  };
  answerAt('/healthz', (_request, reply) => sendUncached(reply, 200, { status: 'alive' }));
  answerAt('/readyz', async (_request, reply) => {
    const readiness = await deps.readiness();
    if (readiness.ready) return sendUncached(reply, 200, { status: 'ready' });
    return sendUncached(reply, 503, { message: readiness.reason, code: 'not-ready' });
  });
  const { metrics, metricsToken } = deps;
  /** Rendering is costly: requests that arrive meanwhile share the result. */
  let rendering: ReturnType<Metrics['render']> | null = null;
  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    config: { needs: { access: 'public' }, writtenAs: patternOf('/metrics') },
    onRequest: async (request, reply) => {
      const refusal = metricsRefusal(request, metricsToken);
      return refusal === null ? undefined : sendUncached(reply.header('WWW-Authenticate', 'Bearer'), 401, refusal);
    },
    handler: async (_request, reply) => {
      const { contentType, text } = await (rendering ??= metrics.render().finally(() => (rendering = null)));
      return reply.header('Cache-Control', 'no-store').type(contentType).send(text);
    },
  });
}

const tokenNeeded = { message: 'Send the metrics token as a bearer token.', code: 'metrics-token-needed' };
const notFromHere = {
  message: 'Without METRICS_TOKEN only this machine can read these figures. Set it and send it as a bearer token.',
  code: 'metrics-token-needed',
};

/** null: the caller may read them. */
function metricsRefusal(request: FastifyRequest, metricsToken: string | null): typeof tokenNeeded | null {
  if (metricsToken === null) return isFromThisMachine(request) ? null : notFromHere;
  return isBearer(request.headers.authorization, metricsToken) ? null : tokenNeeded;
}

function sendUncached(reply: FastifyReply, status: number, body: Readonly<Record<string, string>>): FastifyReply {
  reply.code(status).header('Cache-Control', 'no-store').type('application/json; charset=utf-8');
  return reply.send(JSON.stringify(body));
}

/** Compares digests in constant time, so that neither the token nor its length leaks through timing. */
function isBearer(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

interface Answered {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

interface Attempt {
  readonly upstream: string;
  readonly operation: string;
  readonly outcome: string;
  readonly durationMs: number;
}

type ReadFigure = () => Promise<number | null> | number | null;

/** Prometheus metrics: the process with its event-loop lag, every answer and every upstream call. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, framework routes',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const attempts = new Histogram({
    name: 'upstream_call_seconds',
    help: 'Time of one attempt at an upstream call',
    labelNames: ['upstream', 'operation', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const successes = new Gauge({
    name: 'upstream_last_success_timestamp_seconds',
    help: 'When an upstream call of this copy last succeeded',
    labelNames: ['upstream'],
    registers: [registry],
  });
  const purged = new Counter({
    name: 'purged_rows_total',
    help: 'Expired rows that this copy has deleted',
    labelNames: ['table'],
    registers: [registry],
  });
  const ready = new Counter({
    name: 'http_ready_answers_total',
    help: 'Ready answers: pages, assets, the treasury',
    labelNames: ['path', 'status'],
    registers: [registry],
  });
  return {
    /** Counts one ready answer; paths come from a fixed set. */
    countReady: (path: string, status: number): void => ready.inc({ path, status }),
    /** One upstream call, as the call policy reports it. */
    onAttempt: ({ upstream, operation, outcome, durationMs }: Attempt): void => {
      attempts.observe({ upstream, operation, outcome }, durationMs / 1_000);
      if (outcome === 'ok') successes.setToCurrentTime({ upstream });
    },
    /** Expired rows that were deleted (src/retention/retention.ts). */
    onPurged: (table: string, rows: number): void => purged.inc({ table }, rows),
    /** A figure that is read at each request for the metrics; null leaves it out. */
    addGauge: (name: string, help: string, read: ReadFigure): void =>
      registry.registerMetric(gaugeOf(name, help, read)),
    observe: ({ seconds, ...labels }: Answered): void => durations.observe(labels, seconds),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

function gaugeOf(name: string, help: string, read: ReadFigure): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      const value = await read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

/** One log line for each API request and one observation for each answer. Routes, never addresses: those can hold tokens. */
export function watchAnswers(app: FastifyInstance, { metrics, logger }: { metrics: Metrics; logger: Logger }): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    metrics.observe({ method, route, status, seconds: reply.elapsedTime / 1_000 });
    if (routeOptions.config.isApi !== true && !request.url.startsWith('/api')) return;
    const elapsedMs = Math.round(reply.elapsedTime);
    logger.info({ requestId: request.id, method, route, status, elapsedMs }, 'answered');
  });
}
