import type { ServiceDefinition } from '../service/start-service.ts';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import { withWrongTypes } from '../faults/wrong-types.ts';
import type { Price, WorldContext } from '../world/state.ts';
import { suiCoinType } from '../world/sui-names.ts';

const pathPrefix = '/prices/current/';
const markMs = 300_000;
const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** DefiLlama's shape: `GET /prices/current/{sui:<type>,…}?searchWidth=4h`. */
export function llamaService(world: WorldContext): ServiceDefinition {
  return {
    name: 'prices',
    answer: (ask) => answer(world, ask),
    operationsOf: (ask) => [ask.path.startsWith(pathPrefix) ? 'current' : 'unknown'],
    malformed: textAnswer(200, '{"coins":{"sui:0x2::sui::SUI":{"price":1.', 'application/json'),
    wrongTypes: (reply) => jsonAnswer(200, withWrongTypes(JSON.parse(String(reply.body)))),
  };
}

function answer(world: WorldContext, ask: Ask): Answer {
  if (!ask.path.startsWith(pathPrefix) || ask.method !== 'GET') return jsonAnswer(404, { message: 'Not Found' });
  const asked = decodeURIComponent(ask.path.slice(pathPrefix.length)).split(',').filter(Boolean);
  const searchWidthMs = parseWidth(ask.query.get('searchWidth') ?? '12h');
  if (searchWidthMs === null) return jsonAnswer(400, { message: 'Invalid searchWidth' });
  const coins = asked.flatMap((key) => {
    const price = priceFor(world, key);
    return price && price.ageMs <= searchWidthMs ? [[key, quote(world, price)] as const] : [];
  });
  return jsonAnswer(200, { coins: Object.fromEntries(coins) });
}

/** DefiLlama does not normalise: SUI is known by its short type, every other coin by the 64-hex one. */
function priceFor(world: WorldContext, key: string): Price | null {
  const { prices } = world.state;
  const wanted = key === 'sui:0x2::sui::SUI' || key === 'coingecko:sui' ? suiCoinType : key.replace(/^sui:/, '');
  if (wanted === key || key === `sui:${suiCoinType}`) return null;
  const price = prices.get(wanted);
  return price?.services.includes('prices') ? price : null;
}

function quote(world: WorldContext, price: Price) {
  const metadata = world.state.coins.get(price.coinType)?.metadata;
  const atMs = world.now().getTime() - price.ageMs;
  return {
    decimals: metadata?.decimals ?? 0,
    symbol: metadata?.symbol ?? '',
    price: Number(price.priceUsd),
    timestamp: (Math.floor(atMs / markMs) * markMs) / 1000,
    confidence: price.confidence,
  };
}

function parseWidth(text: string): number | null {
  const match = /^(\d+)\s*([smhd])?$/.exec(text);
  return match ? Number(match[1]) * (unitsMs[match[2] ?? 's'] ?? 0) : null;
}
