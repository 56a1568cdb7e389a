import type { ServiceDefinition } from '../service/start-service.ts';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import { withWrongTypes } from '../faults/wrong-types.ts';
import type { Price, WorldContext } from '../world/state.ts';
import { chartAnswer } from './llama-chart.ts';
import { namesOf, parseDuration, priceFor } from './llama-coins.ts';
import { markMs, recordsOf } from './past-price.ts';

/** A parsed request; `keys` are the coins as the service names them. */
type Asked = { world: WorldContext; seed: number; keys: string[]; query: URLSearchParams; inPath: string[] };
type Operation = { name: string; path: RegExp; answer: (asked: Asked) => Answer };

/** Every path ends with the coins, joined by commas; the path parts before them are `inPath`. */
const operations: readonly Operation[] = [
  { name: 'current', path: /^\/prices\/current\/([^/]*)$/, answer: currentAnswer },
  { name: 'historical', path: /^\/prices\/historical\/([^/]*)\/([^/]*)$/, answer: historicalAnswer },
  { name: 'chart', path: /^\/chart\/([^/]*)$/, answer: ({ world, seed, ...asked }) => chartAnswer(world, seed, asked) },
];

/**
 * Imitates DefiLlama: `GET /prices/current/{sui:<type>,…}?searchWidth=4h`, `GET /prices/historical/{unix seconds}/{…}` and
 * `GET /chart/{…}?start=&span=&period=`. The seed determines past prices.
 */
export function llamaService(world: WorldContext, seed: number): ServiceDefinition {
  return {
    name: 'prices',
    answer: (ask) => answer(world, seed, ask),
    operationsOf: (ask) => [operationOf(ask)?.name ?? 'unknown'],
    malformed: textAnswer(200, '{"coins":{"sui:0x2::sui::SUI":{"price":1.', 'application/json'),
    wrongTypes: (reply) => jsonAnswer(200, withWrongTypes(JSON.parse(String(reply.body)))),
  };
}

function operationOf({ method, path }: Ask): Operation | undefined {
  return method === 'GET' ? operations.find((each) => each.path.test(path)) : undefined;
}

function answer(world: WorldContext, seed: number, ask: Ask): Answer {
  const operation = operationOf(ask);
  if (!operation) return jsonAnswer(404, { message: 'Not Found' });
  const inPath = (operation.path.exec(ask.path) ?? []).slice(1);
  const keys = decodeURIComponent(inPath.pop() ?? '')
    .split(',')
    .filter(Boolean);
  return operation.answer({ world, seed, keys, query: ask.query, inPath });
}

function currentAnswer({ world, keys, query }: Asked): Answer {
  const widthMs = parseDuration(query.get('searchWidth') ?? '12h');
  if (widthMs === null) return jsonAnswer(400, { message: 'Invalid searchWidth' });
  return quotesAnswer(world, keys, (price) => {
    if (price.ageMs > widthMs) return null;
    const atMs = Math.floor((world.now().getTime() - price.ageMs) / markMs) * markMs;
    return { atMs, priceUsd: Number(price.priceUsd) };
  });
}

function historicalAnswer({ world, seed, keys, query, inPath: [timestamp = ''] }: Asked): Answer {
  const widthMs = parseDuration(query.get('searchWidth') ?? '6h');
  if (widthMs === null || !/^\d{1,12}$/.test(timestamp)) {
    return jsonAnswer(400, { message: 'Invalid timestamp or searchWidth' });
  }
  return quotesAnswer(world, keys, (price) => recordsOf(world, price, seed).nearest(Number(timestamp) * 1000, widthMs));
}

type Quoted = { atMs: number; priceUsd: number };

function quotesAnswer(world: WorldContext, keys: readonly string[], quoteOf: (price: Price) => Quoted | null): Answer {
  const coins = keys.flatMap((key) => {
    const price = priceFor(world.state, key);
    const quoted = price && quoteOf(price);
    if (!price || !quoted) return [];
    const { priceUsd, atMs } = quoted;
    const { confidence } = price;
    return [[key, { ...namesOf(world.state, price), price: priceUsd, timestamp: atMs / 1000, confidence }] as const];
  });
  return jsonAnswer(200, { coins: Object.fromEntries(coins) });
}
