import type { Price, WorldState } from '../world/state.ts';
import { suiCoinType } from '../world/sui-names.ts';

const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** DefiLlama does not normalise: SUI is known by its short type, every other coin by the 64-hex one. */
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

/** `4h`, `1W`, `d` (of which there is one), or plain seconds; null when it is none of these. */
export function parseDuration(text: string): number | null {
  const match = /^(\d*)\s*([smhdw]?)$/i.exec(text);
  if (match === null || text === '') return null;
  const [, count = '', unit = ''] = match;
  return Number(count === '' ? '1' : count) * (unitsMs[unit.toLowerCase() || 's'] ?? 0);
}
