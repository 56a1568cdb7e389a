import { sourceInWords } from '../../shared/source-status.ts';
import { StateBadge } from '../../ui/badge.tsx';
import type { FigureState } from '../contract.ts';
import type { SumLine } from './holdings-rows.ts';

interface MarkProps {
  readonly state: FigureState | null;
  readonly asOf?: string | null;
  /** Also shown for a live figure. */
  readonly always?: boolean;
}

/** Rulings R3, the state of a figure. The page says once that all is live, so only a figure in another state has a mark. */
export function StateMark({ state, asOf = null, always = false }: MarkProps) {
  if (state === null || (state === 'live' && !always)) return null;
  return <StateBadge state={state} asOf={asOf} />;
}

interface FigureNoteProps extends MarkProps {
  readonly source: string | null;
}

/** Rulings R3: state, age and source, close to every figure and quieter than it. */
export function FigureNote({ source, ...mark }: FigureNoteProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <StateMark {...mark} />
      {source !== null && <span className="text-sm text-quiet wrap-anywhere">{sourceInWords(source)}</span>}
    </span>
  );
}

interface SumLinesProps {
  readonly lines: readonly (SumLine | null)[];
  /** The same padding as the list's own rows. */
  readonly className?: string;
}

/** Lines under a list: what its rows leave out, and the total. */
export function SumLines({ lines, className = '' }: SumLinesProps) {
  const shown = lines.filter((line) => line !== null);
  if (shown.length === 0) return null;
  return (
    <dl className={`mt-3 space-y-1 text-sm ${className}`}>
      {shown.map(({ name, text }) => (
        <div key={name} className="flex items-end justify-between gap-x-6">
          <dt className="text-quiet">{name}</dt>
          <dd className="shrink-0 font-semibold tabular-nums whitespace-nowrap">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
