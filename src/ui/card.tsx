import type { HTMLAttributes } from 'react';

export interface CardProps extends HTMLAttributes<HTMLElement> {
  readonly as?: 'div' | 'article' | 'section' | 'li';
  /** `raised`: lighter, for a card on a card. `glow`: edged in torch light, for the one that matters now. */
  readonly tone?: 'plain' | 'raised' | 'glow';
  readonly padded?: boolean;
}

/** A slab with chipped corners. */
export function Card({ as: Element = 'div', tone = 'plain', padded = true, className = '', ...rest }: CardProps) {
  const tones = { plain: '', raised: ' slab-raised', glow: ' slab-glow' };
  return (
    <Element
      {...rest}
      className={`slab${tones[tone]}${padded ? ' p-[min(1.25rem,5.34vw)] sm:p-6 lg:p-8' : ''} ${className}`}
    />
  );
}
