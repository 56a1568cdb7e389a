export interface StatusDotProps {
  readonly state: 'on' | 'off' | 'trouble';
  /** Specification 2: 'Active' has a pulsing dot. Still where the visitor asked for less motion. */
  readonly pulsing?: boolean;
}

/** A small stone that glows. Decoration: the words beside it say the state. */
export function StatusDot({ state, pulsing = false }: StatusDotProps) {
  return <span className={`status-dot status-${state}${pulsing ? ' status-pulsing' : ''}`} aria-hidden="true" />;
}
