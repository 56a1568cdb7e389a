import { durationInWords } from '../../../ui/age-in-words.ts';
import type { TelegramStatus } from './telegram-calls.ts';

interface StateInWords {
  /** Stands beside 'Active' or 'Inactive' where those two do not tell all. */
  readonly badge: string | null;
  /** What it means and what to do, where something is to be done. */
  readonly text: string | null;
}

/** The alarm `TelegramBotDown` rings meanwhile: most tokens are lost by mistake. */
const lostToken = 'The bot should be running but no longer has a token: set one, or cancel the start.';

/** The real state, as far as it is more than specification 2's 'Active' and 'Inactive'. */
export function stateInWords({ state, wanted, active }: TelegramStatus): StateInWords {
  if (state === 'not-configured') return { badge: 'Not configured', text: wanted === 'active' ? lostToken : null };
  if (state === 'starting') {
    return { badge: 'Starting', text: 'The bot is starting. This takes a few seconds.' };
  }
  if (state === 'failing') {
    return {
      badge: 'Failing',
      text: active
        ? 'The bot runs, but Telegram refuses requests or does not answer. The bot keeps retrying.'
        : 'The bot should be running but cannot start. It keeps retrying; the last error says why.',
    };
  }
  if (wanted === 'active' && !active) return { badge: 'Waiting to start', text: 'A start was requested.' };
  if (wanted === 'inactive' && active) return { badge: 'Shutting down', text: 'A shutdown was requested.' };
  return { badge: null, text: null };
}

/** Which buttons there are. Specification 2: 'Shutdown Bot' when active, 'Initialize Bot' when inactive. */
export const isTryingInVain = ({ active, wanted }: TelegramStatus): boolean => !active && wanted === 'active';

/** What follows 'The marketplace stopped answering …'. */
export const unreadInWords = ({ collectionCount }: NonNullable<TelegramStatus['marketOutage']>): string =>
  collectionCount === 1 ? '1 collection is not being read' : `${collectionCount} collections are not being read`;

/** '3, the oldest for 12 min'. */
export function waitingInWords({
  pendingCount,
  oldestPendingSeconds,
}: Pick<TelegramStatus, 'pendingCount' | 'oldestPendingSeconds'>): string {
  if (pendingCount === null) return 'Not known';
  if (pendingCount === 0) return 'None';
  const oldest = oldestPendingSeconds === null ? '' : `, the oldest for ${durationInWords(oldestPendingSeconds)}`;
  return `${pendingCount}${oldest}`;
}
