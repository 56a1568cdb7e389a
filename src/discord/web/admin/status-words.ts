import { failureText } from '../../../ui/api/api-client.ts';
import type { DiscordStatus } from './discord-answers.ts';

interface StateInWords {
  /** Stands beside 'Online' or 'Offline' where those two do not tell all. */
  readonly badge: string | null;
  /** What it means and what to do, where something is to be done. */
  readonly text: string | null;
}

/** The alarm `DiscordBotDown` rings meanwhile: most tokens are lost by mistake. */
const lostToken = 'The bot should be running but no longer has a token: set one, or cancel the start.';

const stopped =
  'The bot is stopped: it answers nobody and changes no roles. ‘Start’ brings it online, and then its servers are listed under ‘Servers’. The details below are from its last run.';

/** The real state, as far as it is more than specification 2's online or offline. */
export function stateInWords({ state, wanted, online }: DiscordStatus): StateInWords {
  if (state === 'not-configured') return { badge: 'Not configured', text: wanted === 'active' ? lostToken : null };
  if (state === 'starting') return { badge: 'Starting', text: 'The bot is starting. This takes a few seconds.' };
  if (state === 'failing') {
    return {
      badge: 'Failing',
      text:
        online === true
          ? 'The bot is online, but Discord refuses requests or does not answer. The bot keeps retrying.'
          : 'The bot should be online but cannot connect. The last error says why, and what to do.',
    };
  }
  if (state === 'inactive' && wanted === 'inactive' && online === false) return { badge: null, text: stopped };
  if (wanted === 'active' && online === false) return { badge: 'Waiting to start', text: 'A start was requested.' };
  if (wanted === 'inactive' && online === true) return { badge: 'Shutting down', text: 'A shutdown was requested.' };
  return { badge: null, text: null };
}

/** What is wrong now, or was once: of a run that has ended, or that went on. */
export const isPast = ({ state }: Pick<DiscordStatus, 'state'>): boolean => state !== 'failing';

/** A start was asked for and did not come to anything yet: it can be called off. */
export const isTryingInVain = ({ online, wanted }: DiscordStatus): boolean => online === false && wanted === 'active';

/** Specification 7 calls it offline; that it is not known is said beside. */
export const outageText = (outage: unknown): string =>
  `Could not find out whether the bot is online. ${failureText(outage)}`;
