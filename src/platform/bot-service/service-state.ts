import type { ServiceRow, WantedState } from './service-store.ts';

type State = 'not-configured' | 'inactive' | 'starting' | 'active' | 'failing';

/** What is true of the bot now, as far as any copy can know. */
interface RealState {
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
export const isSettled = ({ state }: RealState, wanted: WantedState): boolean =>
  wanted === 'active' ? state === 'active' || state === 'failing' : state === 'inactive' || state === 'not-configured';

/** What an admin's screens say of a bot, from whichever copy they ask. Times are ISO texts. */
export interface ServiceStatus {
  readonly state: State;
  readonly wanted: WantedState;
  readonly username: string | null;
  readonly since: string | null;
  readonly lastError: { readonly message: string; readonly at: string } | null;
}

export function describeService(row: ServiceRow, hasToken: boolean): ServiceStatus {
  const { state, since } = realState(row, hasToken);
  return {
    state,
    wanted: row.wanted,
    username: hasToken ? row.username : null,
    since: since?.toISOString() ?? null,
    lastError: row.lastError === null ? null : { message: row.lastError.message, at: row.lastError.at.toISOString() },
  };
}
