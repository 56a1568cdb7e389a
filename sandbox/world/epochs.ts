import { digestFrom } from './derived-ids.ts';
import type { WorldState } from './state.ts';

/** The genesis checkpoint digest of Sui mainnet. */
const mainnetChainId = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
const epochAtStart = 950;
const epochMs = 86_400_000;

/** An epoch lasts a day. */
export function epochOf(state: WorldState, atMs: number): bigint {
  return BigInt(epochAtStart + Math.floor((atMs - state.startedAtMs) / epochMs));
}

/** The start of an epoch in milliseconds since 1970. */
export function startOfEpoch(state: WorldState, epoch: bigint): number {
  return state.startedAtMs + (Number(epoch) - epochAtStart) * epochMs;
}

/** With a run mark, each reset starts another chain. */
export function chainIdOf(state: WorldState): string {
  return state.idMark === '' ? mainnetChainId : digestFrom(`chain/${state.idMark}`);
}
