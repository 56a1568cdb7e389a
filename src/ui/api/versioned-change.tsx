import { useState } from 'react';
import type * as z from 'zod/mini';
import type { ToastText } from '../toast/toast-state.ts';
import { ApiError, type Call, failureText } from './api-client.ts';
import { useApiMutation } from './use-api-mutation.ts';

interface VersionedChange<Version, Input> {
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

/**
 * What somebody else saved meanwhile (409 `stale`, rulings R6). null: the call failed for another reason, or the answer
 * does not carry it.
 */
export function staleVersion<Schema extends z.ZodMiniType>(error: unknown, schema: Schema): z.output<Schema> | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  try {
    const { code, current } = JSON.parse(error.body) as { readonly code?: unknown; readonly current?: unknown };
    const read = schema.safeParse(current);
    return code === 'stale' && read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** One field that another save changed. */
export interface VersionDifference {
  readonly field: string;
  readonly before: string;
  readonly now: string;
}

/** The fields of a version as they are shown, by their names. */
export type ShownFields = Readonly<Record<string, string>>;

const orNone = (text: string | undefined): string => (text === undefined || text === '' ? 'none' : text);

/** What others saved between two versions, field by field. */
export const differencesBetween = (before: ShownFields, now: ShownFields): readonly VersionDifference[] =>
  Object.keys(now)
    .filter((field) => before[field] !== now[field])
    .map((field) => ({ field, before: orNone(before[field]), now: orNone(now[field]) }));

interface StaleVersionsProps {
  /** 'configuration': what somebody else changed. */
  readonly what: string;
  /** What the admin is about to save, beside the same field as it is saved now. Empty: it is a deletion. */
  readonly yours?: readonly YoursAndSaved[];
  /** What else was changed meanwhile. */
  readonly others: readonly VersionDifference[];
}

export interface YoursAndSaved {
  readonly field: string;
  readonly yours: string;
  readonly saved: string;
}

/** Rulings R6: a save on top of somebody else's is refused, and both versions are shown. */
export function StaleVersions({ what, yours = [], others }: StaleVersionsProps) {
  const mine = new Set(yours.map(({ field }) => field));
  return (
    <section role="alert" className="mt-5 border-l-4 border-stale pl-4" aria-label="Changed meanwhile">
      <p className="font-semibold">Somebody else changed this {what} while the dialog was open.</p>
      <dl className="mt-2 text-sm">
        {yours.flatMap(({ field, yours: ours, saved }) => [
          <Version key={`${field}, yours`} name={`${field}, yours`} text={orNone(ours)} />,
          <Version key={`${field}, saved`} name={`${field}, saved`} text={orNone(saved)} />,
        ])}
        {others
          .filter(({ field }) => !mine.has(field))
          .map(({ field, before, now }) => (
            <Version key={field} name={field} text={`${before} became ${now}`} />
          ))}
      </dl>
    </section>
  );
}

function Version({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="grid grid-cols-[9.5rem_minmax(0,1fr)] gap-x-3 py-1">
      <dt className="text-quiet">{name}</dt>
      <dd className="wrap-anywhere">
        <bdi>{text}</bdi>
      </dd>
    </div>
  );
}
