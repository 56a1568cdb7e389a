import { sourceInWords } from '../../shared/source-names.ts';
import { StateBadge } from '../../web/ui/state-badge.tsx';
import type { FigureState } from '../contract.ts';

interface FigureNoteProps {
  readonly state: FigureState;
  readonly asOf: string | null;
  readonly source: string;
}

/** Rulings R3: state, age and source, close to every figure and quieter than it. */
export function FigureNote({ state, asOf, source }: FigureNoteProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <StateBadge state={state} asOf={asOf} />
      <span className="text-sm text-quiet wrap-anywhere">{sourceInWords(source)}</span>
    </span>
  );
}
