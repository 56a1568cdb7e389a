import { digestFrom } from './derived-ids.ts';
import type { WorldState } from './state.ts';

/** The genesis checkpoint digest of Sui mainnet. */
const mainnetChainId = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
/** A fixed time: a world that starts later has higher epochs. */
const firstEpochMs = Date.parse('2024-04-14T00:00:00Z');
const epochMs = 86_400_000;

/** An epoch lasts a day. */
export function epochOf(atMs: number): bigint {
  return BigInt(Math.floor((atMs - firstEpochMs) / epochMs));
}

/** The start of an epoch in milliseconds since 1970. */
export function startOfEpoch(epoch: bigint): number {
  return firstEpochMs + Number(epoch) * epochMs;
}

/** With a run mark, each reset starts another chain. */
export function chainIdOf(state: WorldState): string {
  return state.idMark === '' ? mainnetChainId : digestFrom(`chain/${state.idMark}`);
}
