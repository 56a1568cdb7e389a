import { useState } from 'react';
import type * as z from 'zod/mini';
import type { ToastText } from '../toast/toast-region.tsx';
import { ApiError, type Call } from './api-client.ts';
import { type ApiMutation, useApiMutation } from './use-answer.ts';

export interface VersionedChange<Version, Input> {
  readonly seen: Version;
  readonly schema: z.ZodMiniType<Version>;
  /** Sent as `If-Match`; null: there is no version. */
  readonly versionOf: (version: Version) => number | null;
  /** Based on `version`: the one the admin saw, or the one another admin saved since. */
  readonly call: (input: Input, version: Version) => Omit<Call, 'ifMatch'>;
  readonly success: ToastText;
  readonly failure: ApiMutation<Input>['failure'];
  readonly onDone: (answer: unknown) => void;
  /** A noun for what is changed, and its fields for showing two versions side by side. */
  readonly what: string;
  readonly fieldsOf: (version: Version) => ShownFields;
}

/** What a dialog supplies for its own change. */
export type ChangeOf<Version, Input> = Pick<VersionedChange<Version, Input>, 'seen' | 'success' | 'failure' | 'onDone'>;

/**
 * A change based on the version that the admin saw. If another admin saved in between (409), the usual failure toast appears
 * (specification 8) and `stale` is their version: the dialog shows both, and sending again is based on theirs.
 */
export function useVersionedChange<Version, Input>(change: VersionedChange<Version, Input>) {
  const { seen, schema, versionOf, call, failure, what, fieldsOf, onDone, ...rest } = change;
  const [stale, setStale] = useState<Version | null>(null);
  const staleIn = (error: unknown): Version | null => {
    const current = staleVersion(error, schema);
    return current === null || versionOf(current) === null ? null : current;
  };
  const { send, busy, error, problem, reset } = useApiMutation<Input>({
    ...rest,
    onDone: (answer) => {
      setStale(null);
      onDone(answer);
    },
    call: (input) => {
      const from = stale ?? seen;
      const ifMatch = versionOf(from);
      return { ...call(input, from), ...(ifMatch === null ? {} : { ifMatch }) };
    },
    failure: (message, cause, input) => {
      const current = staleIn(cause);
      if (current !== null) setStale(current);
      return typeof failure === 'string' ? { title: failure, description: message } : failure(message, cause, input);
    },
  });
  return {
    send,
    busy,
    stale,
    /** Both versions, with what would be saved; undefined: no other admin has saved one. */
    staleNote: (yours?: ShownFields) =>
      stale === null ? undefined : (
        <StaleVersions what={what} yours={yours} before={fieldsOf(seen)} now={fieldsOf(stale)} />
      ),
    problem: staleIn(error) === null ? problem : undefined,
    /** Clears the problem, once something else is typed or sent. */
    forgetProblem: () => {
      if (error !== null) reset();
    },
  };
}

/** What another admin saved meanwhile (409 `stale`, rulings R6). null: the call failed for another reason. */
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

export type ShownFields = Readonly<Record<string, string>>;

interface Versions {
  /** What the admin is about to save; absent for a deletion. */
  readonly yours?: ShownFields | undefined;
  /** What the admin saw, and what is saved now. */
  readonly before: ShownFields;
  readonly now: ShownFields;
}

const orNone = (text = ''): string => (text === '' ? 'none' : text);

/** The admin's fields beside the saved ones, then the other fields that changed meanwhile. */
export const linesOf = ({ yours = {}, before, now }: Versions): readonly (readonly [name: string, text: string])[] => [
  ...Object.entries(yours).flatMap(([field, text]) => [
    [`${field}, yours`, orNone(text)] as const,
    [`${field}, saved`, orNone(now[field])] as const,
  ]),
  ...Object.keys(now)
    .filter((field) => before[field] !== now[field] && !Object.hasOwn(yours, field))
    .map((field) => [field, `${orNone(before[field])} became ${orNone(now[field])}`] as const),
];

/** In a long dialog the note, and the buttons below it, would otherwise be out of view. */
const intoView = (element: Element | null): void => element?.scrollIntoView({ block: 'center', behavior: 'instant' });

/** Rulings R6: a save over another admin's is refused, and both versions are shown. */
const StaleVersions = ({ what, ...versions }: Versions & { readonly what: string }) => (
  <section role="alert" ref={intoView} className="mt-5 border-l-4 border-stale pl-4" aria-label="Changed meanwhile">
    <p className="font-semibold">Someone else changed this {what} meanwhile.</p>
    <dl className="mt-2 text-sm">
      {linesOf(versions).map(([name, text]) => (
        <div key={name} className="grid grid-cols-[9.5rem_minmax(0,1fr)] gap-x-3 py-1">
          <dt className="text-quiet">{name}</dt>
          <dd className="wrap-anywhere">
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
