import type { DiscordStatusAnswer } from '../../contract.ts';

export type DiscordStatus = DiscordStatusAnswer['data'];

interface StateInWords {
  /** Stands beside 'Online' or 'Offline' where those two do not tell all. */
  readonly badge: string | null;
  /** What it means and what to do, where something is to be done. */
  readonly text: string | null;
}

/** The alarm `DiscordBotDown` rings meanwhile: most tokens are lost by mistake. */
const lostToken = 'The bot is still asked for and has no token any more: give it one, or call the start off.';

/** The real state, as far as it is more than specification 2's online or offline. */
export function stateInWords({ state, wanted, online }: DiscordStatus): StateInWords {
  if (state === 'not-configured') return { badge: 'Not configured', text: wanted === 'active' ? lostToken : null };
  if (state === 'starting') return { badge: 'Starting', text: 'The bot is being started. This takes a few seconds.' };
  if (state === 'failing') {
    return {
      badge: 'Failing',
      text: online
        ? 'The bot is online, but Discord refuses or does not answer. It keeps trying by itself.'
        : 'The bot should be online and cannot. The last error says why, and what to do.',
    };
  }
  if (wanted === 'active' && !online) return { badge: 'Waiting to start', text: 'A start was asked for.' };
  if (wanted === 'inactive' && online) return { badge: 'Shutting down', text: 'A shutdown was asked for.' };
  return { badge: null, text: null };
}

/** What is wrong now, or was once: of a run that has ended, or that went on. */
export const isPast = ({ state }: Pick<DiscordStatus, 'state'>): boolean => state !== 'failing';

/** A start was asked for and did not come to anything yet: it can be called off. */
export const isTryingInVain = ({ online, wanted }: DiscordStatus): boolean => !online && wanted === 'active';
