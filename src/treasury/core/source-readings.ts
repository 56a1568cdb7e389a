import type { SourceReading } from '../../shared/source-status.ts';
import type { TreasuryReading } from './reading.ts';

/**
 * What a reading says of its sources. Without the chain nothing is read, so the price service is a source of its own only where a
 * reading succeeded without it: then its prices are older than the balances.
 */
export function sourceReadings(reading: TreasuryReading | null): readonly SourceReading[] {
  if (reading === null) return [{ source: 'chain', readAt: null }];
  const { chainReadAt, prices, balances } = reading;
  const chain: SourceReading = { source: 'chain', readAt: chainReadAt };
  const times = [...prices.values()].map(({ readAt }) => readAt.getTime());
  if (times.length === 0) return balances.length === 0 ? [chain] : [chain, { source: 'prices', readAt: null }];
  const pricesReadAt = new Date(Math.max(...times));
  return pricesReadAt >= chainReadAt ? [chain] : [chain, { source: 'prices', readAt: pricesReadAt }];
}
