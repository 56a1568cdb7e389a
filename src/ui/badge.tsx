import type { HTMLAttributes } from 'react';
import { Age } from './age.tsx';

type BadgeTone = 'quiet' | 'torch' | 'live' | 'stale' | 'estimated' | 'unavailable' | 'gain' | 'danger';

interface BadgeProps extends HTMLAttributes<HTMLSpanElement> {
  readonly tone?: BadgeTone;
}

export function Badge({ tone = 'quiet', className = '', ...rest }: BadgeProps) {
  return <span {...rest} className={`badge badge-${tone} ${className}`} />;
}

/** How far a figure can be trusted (rulings R3). */
export type ShownState = 'live' | 'stale' | 'estimated' | 'unavailable';

const words: Readonly<Record<ShownState, string>> = {
  live: 'Live',
  stale: 'Stale',
  estimated: 'Estimated',
  unavailable: 'Unavailable',
};

/** The shape shows the state, as the color does. */
const marks: Readonly<Record<ShownState, string>> = {
  live: 'M6 1 10 3.2 11 7.5 7.5 11 3 10 1 6 2.5 2.5Z',
  stale: 'M6 1 10 3.2 11 7.5 7.5 11 3 10 1 6 2.5 2.5ZM6 3.5V6.3L8 7.5',
  estimated: 'M1 7.5Q3.5 4 6 6T11 4.5',
  unavailable: 'M2 2 10 10M10 2 2 10',
};

interface StateBadgeProps {
  readonly state: ShownState;
  /** ISO time of the reading; null: no age is shown. */
  readonly asOf?: string | null;
}

/** 'Live, 2 min ago': state by word, shape and color, with the age of the reading. */
export const StateBadge = ({ state, asOf = null }: StateBadgeProps) => (
  <Badge tone={state}>
    <svg viewBox="0 0 12 12" className={`mark mark-${state}`} aria-hidden="true">
      <path d={marks[state]} />
    </svg>
    <span>{words[state]}</span>
    <Age asOf={asOf} />
  </Badge>
);

interface StatusDotProps {
  readonly state: 'on' | 'off' | 'trouble';
  /** Specification 2: 'Active' has a pulsing dot. It does not pulse where the visitor asked for less motion. */
  readonly pulsing?: boolean;
}

/** A small stone that glows. Decoration: the words beside it say the state. */
export function StatusDot({ state, pulsing = false }: StatusDotProps) {
  return <span className={`status-dot status-${state}${pulsing ? ' status-pulsing' : ''}`} aria-hidden="true" />;
}
