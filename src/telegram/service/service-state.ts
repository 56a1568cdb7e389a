import type { ServiceRow } from '../adapters/service-store.ts';
import type { TelegramStatusAnswer } from '../contract.ts';

type State = TelegramStatusAnswer['data']['state'];

/** What is true of the bot now, as far as any copy can know. */
export interface RealState {
  readonly state: State;
  readonly since: Date | null;
}

/** A copy that fell silent runs nothing: the bot is then on its way back, or off, whatever was said last. */
export function realState(row: ServiceRow, hasToken: boolean): RealState {
  if (!hasToken) return { state: 'not-configured', since: null };
  if (row.isFresh) return { state: row.state, since: row.since };
  return row.wanted === 'active' ? { state: 'starting', since: null } : { state: 'inactive', since: row.since };
}

/** The bot is what was asked for, or it is known that it cannot be. */
export const isSettled = ({ state }: RealState, wanted: 'active' | 'inactive'): boolean =>
  wanted === 'active' ? state === 'active' || state === 'failing' : state === 'inactive' || state === 'not-configured';
