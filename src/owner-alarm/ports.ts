import type { AlarmTurn, StoredAlarm } from './core/alarm-turn.ts';

export type { Clock } from '../shared/clock.ts';

/** How the owner is spoken to. */
export interface OwnerVoice {
  /**
   * One message to the owner's chat, within the platform's limits and calling nobody. `not-now`: it did not arrive for certain;
   * `refused`: nor will it, until a person changes something. Throws when nobody knows whether it arrived.
   */
  say(
    text: string,
  ): Promise<{ readonly kind: 'said' } | { readonly kind: 'not-now' | 'refused'; readonly reason: string }>;
}

interface WaitingMessage {
  readonly id: string;
  readonly text: string;
}

/** What the owner was told and is to be told; every copy of the product sees the same. Throws what the database throws. */
export interface AlarmStore {
  /**
   * One look at every alarm, all or nothing and one copy at a time: `turn` gets what is stored, and answers what is stored next and the
   * words to tell, if any.
   */
  look(alarms: readonly string[], turn: (alarm: string, stored: StoredAlarm | null) => TurnWithWords): Promise<void>;
  /** Something that is over already, and that several copies may have noticed: told unless one of that key was told since `from`. */
  tellOnce(key: string, span: { readonly from: Date; readonly to: Date }, text: string): Promise<void>;
  /**
   * The next message, which is this copy's to tell for a minute; null: none waits, or somebody is at it. One that may have been told
   * before gets `doubt` in front of its text for good, so that it can be seen how often that was.
   */
  take(doubt: string): Promise<WaitingMessage | null>;
  told(id: string): Promise<void>;
  /** It did not arrive: the next look may take it at once. */
  giveBack(id: string): Promise<void>;
}

interface TurnWithWords {
  readonly next: AlarmTurn['next'];
  readonly words: string | null;
}
