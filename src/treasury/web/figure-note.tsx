import { sourceInWords } from '../../shared/source-names.ts';
import { StateBadge } from '../../ui/badge.tsx';
import type { FigureState } from '../contract.ts';

interface MarkProps {
  /** null: not known. */
  readonly state: FigureState | null;
  readonly asOf?: string | null;
  /** Also what is normal is said. */
  readonly always?: boolean;
}

/** Rulings R3, the state of a figure: that all is live is said once for the page, so a mark stands where something is not. */
export function StateMark({ state, asOf, always = false }: MarkProps) {
  if (state === null || (state === 'live' && !always)) return null;
  return <StateBadge state={state} {...(asOf === undefined ? {} : { asOf })} />;
}

interface FigureNoteProps extends MarkProps {
  readonly source: string | null;
}

/** Rulings R3: state, age and source, close to every figure and quieter than it. */
export function FigureNote({ source, ...mark }: FigureNoteProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <StateMark {...mark} />
      {source === null ? null : <span className="text-sm text-quiet wrap-anywhere">{sourceInWords(source)}</span>}
    </span>
  );
}
