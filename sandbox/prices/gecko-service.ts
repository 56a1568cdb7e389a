import { withWrongTypes } from '../faults/wrong-types.ts';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import type { ServiceDefinition } from '../service/start-service.ts';
import type { WorldContext } from '../world/state.ts';
import { canonicalType } from '../world/sui-names.ts';

const pathPrefix = '/api/v2/simple/networks/sui-network/token_price/';
const maxTypes = 30;

/** Imitates GeckoTerminal: prices are strings, keyed by the type as it was requested. */
export function geckoService(world: WorldContext): ServiceDefinition {
  return {
    name: 'pricesFallback',
    answer: (ask) => answer(world, ask),
    operationsOf: (ask) => [ask.path.startsWith(pathPrefix) ? 'token_price' : 'unknown'],
    malformed: textAnswer(200, '{"data":{"attributes":{"token_prices":', 'application/json'),
    wrongTypes: (reply) => jsonAnswer(200, withWrongTypes(JSON.parse(String(reply.body)))),
  };
}

function answer(world: WorldContext, ask: Ask): Answer {
  if (!ask.path.startsWith(pathPrefix) || ask.method !== 'GET') return problem(404, 'Not Found');
  const asked = ask.path.slice(pathPrefix.length).split(',').filter(Boolean).map(decodeURIComponent);
  if (asked.length > maxTypes) return problem(422, `At most ${maxTypes} addresses`);
  const prices = asked.flatMap((type) => {
    const price = priceOf(world, type);
    return price === null ? [] : [[type, price] as const];
  });
  return jsonAnswer(200, {
    data: {
      id: 'sandbox',
      type: 'simple_token_price',
      attributes: { token_prices: Object.fromEntries(prices) },
    },
  });
}

function priceOf(world: WorldContext, type: string): string | null {
  try {
    const price = world.state.prices.get(canonicalType(type));
    return price?.services.includes('pricesFallback') ? price.priceUsd : null;
  } catch {
    return null;
  }
}

function problem(status: number, title: string): Answer {
  return jsonAnswer(status, { errors: [{ status: String(status), title }] });
}
