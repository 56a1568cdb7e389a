import type { HTMLAttributes, ReactNode } from 'react';

interface CardProps extends HTMLAttributes<HTMLElement> {
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

interface FactsProps {
  /** By their names, in their order; what is false, null or undefined is left out. */
  readonly of: Readonly<Record<string, ReactNode>>;
  readonly className?: string;
}

export const Facts = ({ of, className = 'grid gap-x-10 lg:grid-cols-2' }: FactsProps) => (
  <dl className={className}>
    {Object.entries(of)
      .filter(([, value]) => value !== false && value !== null && value !== undefined)
      .map(([name, value]) => (
        <div key={name} className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-4 border-t border-line py-2">
          <dt className="text-quiet">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
  </dl>
);
