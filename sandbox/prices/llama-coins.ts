import type { Price, WorldState } from '../world/state.ts';
import { suiCoinType } from '../world/sui-names.ts';

const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** DefiLlama does not normalise types: it knows SUI by its short type, other coins by their 64-hex type. */
export function priceFor({ prices }: WorldState, key: string): Price | null {
  const wanted = key === 'sui:0x2::sui::SUI' || key === 'coingecko:sui' ? suiCoinType : key.replace(/^sui:/, '');
  if (wanted === key || key === `sui:${suiCoinType}`) return null;
  const price = prices.get(wanted);
  return price?.services.includes('prices') ? price : null;
}

export function namesOf(state: WorldState, { coinType }: Price): { decimals: number; symbol: string } {
  const metadata = state.coins.get(coinType)?.metadata;
  return { decimals: metadata?.decimals ?? 0, symbol: metadata?.symbol ?? '' };
}

/** `4h`, `1W`, `d` (one day) or plain seconds, in milliseconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d*)\s*([smhdw]?)$/i.exec(text);
  if (match === null || text === '') return null;
  const [, count = '', unit = ''] = match;
  return Number(count === '' ? '1' : count) * (unitsMs[unit.toLowerCase() || 's'] ?? 0);
}
