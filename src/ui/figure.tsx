import type { ReactNode } from 'react';
import { Skeleton } from './placeholders.tsx';
import { type ShownState, StateBadge } from './badge.tsx';

export interface FigureProps {
  readonly label: string;
  /** The number as it is shown. null: not known, and then nothing is shown in its place but the state. */
  readonly value: string | null;
  readonly unit?: string;
  readonly state?: ShownState;
  readonly asOf?: string | null;
  /** `hero` for the one number of a screen. */
  readonly size?: 'hero' | 'large' | 'small';
  /** Keeps the room and says 'Loading...'. */
  readonly loading?: boolean;
  /** A quiet line under the number, e.g. 'Sample figure: live data unavailable'. */
  readonly note?: ReactNode;
}

/** A number with its unit, state and age close by. A group named after its label; its height is the same in every state. */
export function Figure({ label, value, unit, state, asOf, size = 'large', loading = false, note }: FigureProps) {
  return (
    <fieldset aria-label={label} className={`figure figure-${size}`}>
      <p className="figure-label">{label}</p>
      <p className="figure-value">
        {loading ? (
          <>
            <Skeleton className="figure-room" />
            <span className="sr-only">Loading...</span>
          </>
        ) : (
          <>
            <span>{value ?? '–'}</span>
            {value !== null && unit !== undefined && <span className="figure-unit"> {unit}</span>}
          </>
        )}
      </p>
      <div className="figure-state">
        {!loading && state !== undefined && <StateBadge state={state} {...(asOf === undefined ? {} : { asOf })} />}
        {note}
      </div>
    </fieldset>
  );
}
