import { createHash } from 'node:crypto';
import { withWrongTypes } from '../faults/wrong-types.ts';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import type { ServiceDefinition } from '../service/start-service.ts';
import type { CallRecord, DiscordServer } from './discord-server.ts';
import { DiscordRefusal, invalidForm, refusal } from './refusal.ts';
import { breakGateway, gatewayFaults } from './gateway/broken-gateway.ts';
import type { LimitReading } from './rest-limits.ts';
import type { Call, Reply } from './routes/route.ts';
import type { Found } from './routes/route-table.ts';
import { findRoute } from './routes/route-table.ts';

const keptCalls = 1000;
const prefix = /^\/api(?:\/v(\d+))?(?=\/)/;

/** Discord's REST API under `/api/v10`; the gateway is the WebSocket at the same address. */
export function discordService(server: DiscordServer): ServiceDefinition {
  const found = (ask: Ask) => findRoute(ask.method, ask.path.replace(prefix, ''));
  return {
    name: 'discord',
    answer: (ask) => answer(server, ask),
    operationsOf: (ask) => {
      const route = found(ask);
      return [typeof route === 'string' ? 'unknown' : `${route.route.method} ${route.route.path}`];
    },
    // A fault can apply to one server, member or channel alone: `guild:<id>`, `user:<id>`, `channel:<id>`.
    faultTargetsOf: async (ask) => {
      const route = found(ask);
      if (typeof route === 'string') return [];
      return Object.entries(route.params).map(([name, value]) => `${name.replace(/_id$/, '')}:${value}`);
    },
    upgrade: server.gateway.upgrade,
    sockets: { name: gatewayFaults, breakUpgrade: breakGateway },
    malformed: textAnswer(200, '{"id": "11', 'application/json'),
    wrongTypes: (reply) => jsonAnswer(200, withWrongTypes(reply.body === '' ? {} : JSON.parse(String(reply.body)))),
    failure: (status, retryAfterSeconds) => {
      if (status !== 429) return jsonAnswer(status, { message: `${status}: Internal Server Error`, code: 0 });
      return limited((retryAfterSeconds ?? 1) * 1000, 'user');
    },
  };
}

function answer(server: DiscordServer, ask: Ask): Answer {
  const { enforced, invalidPer10Minutes } = server.limits.settings;
  if (enforced && server.limits.invalidRequests() >= invalidPer10Minutes) {
    const shutOut = textAnswer(429, 'error code: 1015');
    return { ...shutOut, headers: { ...shutOut.headers, 'retry-after': '600' } };
  }
  const found = findRoute(ask.method, ask.path.replace(prefix, ''));
  const isKnown = typeof found !== 'string';
  const limit = isKnown && isAuthorized(server, found, ask) ? takeLimit(server, found) : null;
  const said = limit?.refusedForMs == null ? replyTo(server, ask, found) : limited(limit.refusedForMs, limit.scope);
  record(server, ask, found, said);
  if ([401, 403, 429].includes(said.status)) server.limits.countInvalid();
  return { ...said, headers: { ...said.headers, ...limitHeaders(limit) } };
}

function replyTo(server: DiscordServer, ask: Ask, found: ReturnType<typeof findRoute>): Answer {
  try {
    const version = prefix.exec(ask.path)?.[1];
    if (!prefix.test(ask.path)) throw refusal('notFound');
    if (version !== undefined && !['9', '10'].includes(version)) throw refusal('invalidApiVersion');
    if (found === 'no-path') throw refusal('notFound');
    if (found === 'no-method') throw refusal('wrongMethod');
    if (!isAuthorized(server, found, ask)) throw refusal('unauthorized');
    checkIds(found);
    return answerOf(found.route.run(server, callOf(ask, found)));
  } catch (error) {
    if (!(error instanceof DiscordRefusal)) throw error;
    const { status, code, message, errors } = error;
    return jsonAnswer(status, { message, code, ...(errors && { errors }) });
  }
}

function answerOf({ status, body }: Reply): Answer {
  return body === undefined ? { status, headers: {}, body: '' } : jsonAnswer(status, body);
}

function isAuthorized({ token }: DiscordServer, { route }: Found, { headers }: Ask): boolean {
  return route.access === 'token' || headers['authorization'] === `Bot ${token}`;
}

function checkIds({ params }: Found): void {
  for (const [name, value] of Object.entries(params)) {
    if (!name.endsWith('_id') || /^\d{1,20}$/.test(value)) continue;
    throw invalidForm([name], 'NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`);
  }
}

function callOf(ask: Ask, { params }: Found): Call {
  const given = ask.headers['x-audit-log-reason'];
  return {
    params,
    query: ask.query,
    body: bodyOf(ask),
    reason: typeof given === 'string' ? decodeURIComponent(given) : null,
  };
}

function bodyOf({ body }: Ask): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw refusal('badJson');
  }
}

/** Each route has a bucket per server, channel or interaction; giving and taking roles share one. */
function takeLimit({ limits }: DiscordServer, { route, params }: Found): LimitReading | null {
  const major = params['guild_id'] ?? params['channel_id'] ?? params['interaction_id'] ?? params['webhook_token'] ?? '';
  const name = route.bucket === 'other' ? `${route.method} ${route.path}` : route.bucket;
  const reading = limits.take({ kind: route.bucket, key: `${name}/${major}`, isGlobal: route.access === 'bot' });
  if (!reading) return null;
  return { ...reading, bucket: createHash('sha256').update(name).digest('hex').slice(0, 32) };
}

function limitHeaders(limit: LimitReading | null): Record<string, string> {
  if (!limit || limit.scope === 'global') return {};
  const afterSeconds = (limit.resetAfterMs / 1000).toFixed(3);
  return {
    'x-ratelimit-limit': String(limit.limit),
    'x-ratelimit-remaining': String(limit.remaining),
    'x-ratelimit-reset': ((Date.now() + limit.resetAfterMs) / 1000).toFixed(3),
    'x-ratelimit-reset-after': afterSeconds,
    'x-ratelimit-bucket': limit.bucket,
  };
}

function limited(waitMs: number, scope: 'user' | 'global'): Answer {
  const isGlobal = scope === 'global';
  const body = { message: 'You are being rate limited.', retry_after: Math.ceil(waitMs) / 1000, global: isGlobal };
  const refused = jsonAnswer(429, body);
  return {
    ...refused,
    headers: {
      ...refused.headers,
      'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
      'x-ratelimit-scope': scope,
      ...(isGlobal && { 'x-ratelimit-global': 'true' }),
    },
  };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function record(server: DiscordServer, ask: Ask, found: ReturnType<typeof findRoute>, said: Answer): void {
  const route = typeof found === 'string' ? 'unknown' : `${found.route.method} ${found.route.path}`;
  const read = (text: string): unknown => (text === '' ? null : JSON.parse(text));
  const answered = String(said.headers['content-type']).startsWith('application/json') ? read(String(said.body)) : null;
  count(server.callsByRoute, route);
  if (said.status >= 400) {
    count(server.refusalsByStatus, said.status);
    const { code } = answered as { code?: number };
    if (code !== undefined) count(server.refusalsByCode, code);
  }
  const reason = ask.headers['x-audit-log-reason'];
  const call: CallRecord = {
    method: ask.method,
    route: typeof found === 'string' ? 'unknown' : found.route.path,
    path: ask.path.replace(prefix, ''),
    query: Object.fromEntries(ask.query),
    body: readable(ask.body),
    reason: typeof reason === 'string' ? decodeURIComponent(reason) : null,
    status: said.status,
    answer: answered,
    atMs: server.now().getTime(),
  };
  server.calls.push(call);
  if (server.calls.length > keptCalls) server.calls.shift();
}

function readable(body: Buffer): unknown {
  try {
    return body.length === 0 ? null : JSON.parse(body.toString('utf8'));
  } catch {
    return body.toString('utf8').slice(0, 5000);
  }
}
