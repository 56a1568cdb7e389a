import type { HTMLAttributes } from 'react';

type BadgeTone = 'quiet' | 'torch' | 'live' | 'stale' | 'estimated' | 'unavailable' | 'gain' | 'loss' | 'danger';

export interface BadgeProps extends HTMLAttributes<HTMLSpanElement> {
  readonly tone?: BadgeTone;
}

export function Badge({ tone = 'quiet', className = '', ...rest }: BadgeProps) {
  return <span {...rest} className={`badge badge-${tone} ${className}`} />;
}
