import { useState } from 'react';
import type * as z from 'zod/mini';
import type { Call } from './api-client.ts';
import { failureText } from './failure-text.ts';
import { staleVersion } from './stale-answer.ts';
import type { ToastText } from './toast/toast-state.ts';
import { useApiMutation } from './use-api-mutation.ts';

export interface VersionedChange<Version, Input> {
  /** As the admin saw it when the dialog opened. */
  readonly seen: Version;
  /** As the answer to a stale save is read. */
  readonly schema: z.ZodMiniType<Version>;
  /** Sent as `If-Match`; null: there is no version to name. */
  readonly versionOf: (version: Version) => number | null;
  /** Made from `version`: what the admin saw, or what somebody else saved since. */
  readonly call: (input: Input, version: Version) => Omit<Call, 'ifMatch'>;
  readonly success: ToastText;
  readonly failure: (message: string, error: unknown, input: Input) => ToastText;
  /** Whatever shows it is read anew, after a success and after a refusal. */
  readonly refresh: () => void;
  readonly onDone: () => void;
}

/**
 * A change made from the version that the admin saw. Somebody else's save in between (409) is told by the toast like any
 * failure (specification 8), and `stale` is what they saved: the dialog shows both, and sending again is made from that version.
 */
export function useVersionedChange<Version, Input>(change: VersionedChange<Version, Input>) {
  const { seen, schema, versionOf, call, success, failure, refresh, onDone } = change;
  const [stale, setStale] = useState<Version | null>(null);
  const staleIn = (error: unknown): Version | null => {
    const current = staleVersion(error, schema);
    return current === null || versionOf(current) === null ? null : current;
  };
  const { mutate, isPending, error, reset } = useApiMutation<Input>({
    call: (input) => {
      const from = stale ?? seen;
      const ifMatch = versionOf(from);
      return { ...call(input, from), ...(ifMatch === null ? {} : { ifMatch }) };
    },
    success: () => success,
    failure: (message, cause, input) => {
      // What was refused may have been changed or deleted by somebody else: the table shall say so.
      refresh();
      const current = staleIn(cause);
      if (current !== null) setStale(current);
      return failure(message, cause, input);
    },
    onDone: () => {
      onDone();
      refresh();
    },
  });
  return {
    send: mutate,
    busy: isPending,
    stale,
    /** What went wrong, for the dialog itself; the toast says it too. */
    problem: error === null || staleIn(error) !== null ? undefined : failureText(error),
    /** What went wrong is of what was sent then: no longer said once something else is on its way, or is typed. */
    forgetProblem: () => {
      if (error !== null) reset();
    },
  };
}
