import { type ReactNode, useSyncExternalStore } from 'react';
import { ageInWords, timeUntilInWords, instantInWords } from './age-in-words.ts';
import { serverTimeMs } from './api/api-client.ts';

interface AgeProps {
  /** ISO time; nullish: not known, and only `none` is shown. */
  readonly asOf: string | null | undefined;
  readonly before?: string;
  readonly after?: ReactNode;
  readonly none?: string;
  readonly className?: string;
  /** For use inside an alert or a status, which would otherwise be read aloud again every minute. */
  readonly quiet?: boolean;
}

/** '2 min ago', kept current; the exact time on demand. */
export const Age = ({ asOf, before, after, none, className = '', quiet = false }: AgeProps) =>
  asOf == null ? (
    none !== undefined && <span className={className}>{none}</span>
  ) : (
    <span className="contents">
      {before}
      <KnownAge {...{ asOf, className, quiet }} />
      {after}
    </span>
  );

type KnownAgeProps = Required<Pick<AgeProps, 'className' | 'quiet'>> & { readonly asOf: string };

function KnownAge({ asOf, className, quiet }: KnownAgeProps) {
  const exact = instantInWords(asOf);
  const words = useAtTime((nowMs) => ageInWords(asOf, serverTimeMs(nowMs)), exact);
  return (
    <time dateTime={asOf} title={exact} className={`age ${className}`} aria-live={quiet ? 'off' : undefined}>
      {words}
    </time>
  );
}

/** 'in 12 min', kept current; the exact time on demand. */
export function TimeUntil({ at }: { readonly at: string }) {
  const exact = instantInWords(at);
  const words = useAtTime((nowMs) => timeUntilInWords(at, serverTimeMs(nowMs)), exact);
  return (
    <time dateTime={at} title={exact}>
      {words}
    </time>
  );
}

const everyMs = 10_000;
const watchers = new Set<() => void>();
let timer: unknown;

/** One timer for all ages of a page, which then change together. */
const everyStep = (changed: () => void): (() => void) => {
  timer ??= setInterval(() => watchers.forEach((each) => each()), everyMs);
  watchers.add(changed);
  return () => void watchers.delete(changed);
};

/**
 * A value that depends on the time, in milliseconds since 1970: computed every ten seconds, rendered again only when it
 * has changed. `before` is shown until hydration. For plain values only (`Object.is`).
 */
export const useAtTime = <T extends string | number | boolean>(read: (nowMs: number) => T, before: T): T =>
  useSyncExternalStore(
    everyStep,
    () => read(Date.now()),
    () => before,
  );
