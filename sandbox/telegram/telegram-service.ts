import { withWrongTypes } from '../faults/wrong-types.ts';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import type { ServiceDefinition } from '../service/start-service.ts';
import { findMethod } from './methods/method-table.ts';
import type { Parameters } from './parameters.ts';
import { readParameters } from './parameters.ts';
import type { TelegramServer } from './telegram-server.ts';
import { Refusal } from './wire.ts';

const keptCalls = 400;
const longestKeptParameter = 5000;
/** Room for a photo of 10 MB; larger bodies get 413, as from Telegram. */
const maxBodyBytes = 12_000_000;

function failureAnswer(code: number, description: string, parameters?: Record<string, number>): Answer {
  return jsonAnswer(code, { ok: false, error_code: code, description, ...(parameters && { parameters }) });
}

type Path = { kind: 'method'; token: string; method: string } | { kind: 'file'; token: string; path: string };

function readPath(path: string): Path | null {
  const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(path);
  if (file) return { kind: 'file', token: decodeURIComponent(file[1] ?? ''), path: file[2] ?? '' };
  const method = /^\/bot([^/]+)\/([A-Za-z]+)\/?$/.exec(path);
  return method ? { kind: 'method', token: decodeURIComponent(method[1] ?? ''), method: method[2] ?? '' } : null;
}

/** Telegram's Bot API: `/bot<token>/<method>` and `/file/bot<token>/<path>`. */
export function telegramService(server: TelegramServer): ServiceDefinition {
  const parametersOf = rememberedParameters();
  return {
    name: 'telegram',
    answer: (ask, gone) => answer(server, ask, parametersOf, gone),
    operationsOf: ({ path }) => {
      const parts = readPath(path);
      if (parts?.kind !== 'method') return [parts ? 'file' : 'unknown'];
      return [findMethod(parts.method)?.name ?? parts.method];
    },
    // A fault can apply to one chat alone: `chat:<id>`.
    faultTargetsOf: async (ask) => {
      const given = await parametersOf(ask).catch(() => null);
      const chatId = given?.values.get('chat_id');
      return chatId === undefined ? [] : [`chat:${chatId}`];
    },
    maxBodyBytes,
    malformed: textAnswer(200, '{"ok":true,"result":[{"update_id":', 'application/json'),
    wrongTypes: (reply) => jsonAnswer(200, withWrongTypes(JSON.parse(String(reply.body)))),
    failure: (status, retryAfterSeconds) => {
      if (status !== 429) return failureAnswer(status, status === 500 ? 'Internal Server Error' : 'Bad Gateway');
      const seconds = retryAfterSeconds ?? 1;
      return failureAnswer(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
    },
  };
}

type ParametersOf = (ask: Ask) => Promise<Parameters>;

function rememberedParameters(): ParametersOf {
  const read = new WeakMap<Ask, Promise<Parameters>>();
  return (ask) => {
    const known = read.get(ask) ?? readParameters(ask);
    read.set(ask, known);
    return known;
  };
}

async function answer(server: TelegramServer, ask: Ask, parametersOf: ParametersOf, gone: AbortSignal) {
  const path = readPath(ask.path);
  if (!path) return failureAnswer(404, 'Not Found');
  if (!/^\d{1,16}:[A-Za-z0-9_-]{10,}$/.test(path.token)) return failureAnswer(404, 'Not Found');
  if (path.token !== server.token) return failureAnswer(401, 'Unauthorized');
  if (path.kind === 'file') return fileAnswer(server, path.path);
  const found = findMethod(path.method);
  if (!found || !['GET', 'POST'].includes(ask.method)) return failureAnswer(404, 'Not Found');
  const count = server.callsByMethod.get(found.name) ?? 0;
  server.callsByMethod.set(found.name, count + 1);
  const given: Parameters = await parametersOf(ask).catch((error: unknown) => {
    if (error instanceof Refusal) return { values: new Map(), uploads: new Map() };
    throw error;
  });
  try {
    await parametersOf(ask);
    const result = await found.method(server, given, gone);
    record(server, found.name, given, { status: 200, result, description: null });
    return jsonAnswer(200, { ok: true, result });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, parameters } = error;
    server.refusalsByCode.set(code, (server.refusalsByCode.get(code) ?? 0) + 1);
    record(server, found.name, given, { status: code, result: null, description: message });
    return failureAnswer(code, message, parameters);
  }
}

type Outcome = { status: number; result: unknown; description: string | null };

function record(server: TelegramServer, method: string, given: Parameters, outcome: Outcome): void {
  const parameters = Object.fromEntries(
    [...given.values].map(([name, value]) => [name, value.slice(0, longestKeptParameter)]),
  );
  server.calls.push({ method, parameters, uploads: [...given.uploads.keys()], ...outcome, atMs: Date.now() });
  if (server.calls.length > keptCalls) server.calls.shift();
}

function fileAnswer({ files }: TelegramServer, path: string): Answer {
  const file = files.read(/^photos\/([A-Za-z0-9_-]{14})$/.exec(path)?.[1] ?? '');
  if (!file) return failureAnswer(404, 'Not Found');
  return { status: 200, headers: { 'content-type': file.type }, body: file.bytes };
}
