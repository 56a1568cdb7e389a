import type { Update } from './wire.ts';

/** Kinds that are sent only if requested by name. */
const namedOnly = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);
const mostPending = 100_000;

export type PendingUpdate = { update: Update; /** Updates of one lane go out in order. */ lane: number };

type Wanted = { offset: number; limit: number; timeoutMs: number };

export type UpdateQueue = {
  push: (kind: string, payload: Record<string, unknown>, lane: number) => void;
  /** 'terminated': another call took over. An empty list: time is up or the caller is gone. */
  take: (wanted: Wanted, gone: AbortSignal) => Promise<Update[] | 'terminated'>;
  /** Ends a call that is held open. */
  terminate: () => void;
  /** Null: every kind except those that must be requested by name. Applies to new updates. */
  setAllowed: (kinds: readonly string[] | null) => void;
  allowed: () => readonly string[] | null;
  pending: () => readonly PendingUpdate[];
  remove: (updateId: number) => void;
  clear: () => void;
  /** Called after each new update. */
  onPush: (listener: () => void) => void;
  isHeldOpen: () => boolean;
};

type Outcome = 'ready' | 'terminated';

/** The one call that waits for updates. */
function createHeldCall() {
  let held: ((outcome: Outcome) => void) | null = null;
  return {
    isOpen: () => held !== null,
    end: (outcome: Outcome): void => held?.(outcome),
    wait: (timeoutMs: number, gone: AbortSignal): Promise<Outcome> =>
      new Promise((resolve) => {
        const finish = (outcome: Outcome): void => {
          clearTimeout(timer);
          gone.removeEventListener('abort', giveUp);
          if (held === finish) held = null;
          resolve(outcome);
        };
        const giveUp = (): void => finish('ready');
        const timer = setTimeout(giveUp, timeoutMs);
        gone.addEventListener('abort', giveUp);
        held = finish;
      }),
  };
}

/** Stores updates until they are confirmed; their ids continue from `before`. */
export function createUpdateQueue(before: number): UpdateQueue {
  let pending: PendingUpdate[] = [];
  let allowed: readonly string[] | null = null;
  let lastUpdateId = before;
  const held = createHeldCall();
  let notify = (): void => {};
  const wants = (kind: string): boolean => (allowed === null ? !namedOnly.has(kind) : allowed.includes(kind));
  return {
    push: (kind, payload, lane) => {
      if (!wants(kind)) return;
      lastUpdateId += 1;
      pending.push({ update: { update_id: lastUpdateId, [kind]: payload }, lane });
      if (pending.length > mostPending) pending.shift();
      held.end('ready');
      notify();
    },
    take: async ({ offset, limit, timeoutMs }, gone) => {
      held.end('terminated');
      if (offset > 0) pending = pending.filter(({ update }) => update.update_id >= offset);
      if (offset < 0) pending = pending.slice(offset);
      if (pending.length === 0 && timeoutMs > 0 && !gone.aborted) {
        if ((await held.wait(timeoutMs, gone)) === 'terminated') return 'terminated';
      }
      return pending.slice(0, limit).map(({ update }) => update);
    },
    terminate: () => held.end('terminated'),
    setAllowed: (kinds) => {
      // An empty list is the documented way to restore the default.
      allowed = kinds === null || kinds.length === 0 ? null : [...kinds];
    },
    allowed: () => allowed,
    pending: () => pending,
    remove: (updateId) => {
      pending = pending.filter(({ update }) => update.update_id !== updateId);
    },
    clear: () => {
      pending = [];
    },
    onPush: (listener) => {
      notify = listener;
    },
    isHeldOpen: held.isOpen,
  };
}
