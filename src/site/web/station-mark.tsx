import type { PhaseStatus } from '../content.ts';

const stone = 'M14 4 30 2 44 12 47 28 38 43 20 47 5 38 2 20Z';

/** Completed: a carved check. Current: a burning torch. Upcoming: the outline of a stone not yet laid. */
export function StationMark({ status, number }: { readonly status: PhaseStatus; readonly number: number }) {
  return (
    <svg viewBox="0 0 49 49" className={`mark-${status}`} aria-hidden="true">
      <path className="mark-stone" d={stone} />
      {status === 'upcoming' && (
        <text x="24.5" y="31" textAnchor="middle" className="mark-number">
          {number}
        </text>
      )}
      {status === 'completed' && <path className="mark-check" d="M14 25 22 34 36 16" />}
      {status === 'current' && (
        <>
          <path
            className="mark-flame"
            d="M25 6C27 13 35 15 33 24C32 29 28 31 24.5 31C20 31 16 28 16.5 23C17 18 21 18 21 13C24 14 24 17 24 18C26 15 26 10 25 6Z"
          />
          <path className="mark-stick" d="M24.5 31V43M20 33H29" />
        </>
      )}
    </svg>
  );
}
