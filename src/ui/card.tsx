import type { HTMLAttributes, ReactNode } from 'react';

interface CardProps extends HTMLAttributes<HTMLElement> {
  readonly as?: 'div' | 'article' | 'section' | 'li';
  /** `raised`: lighter, for a card on a card. `glow`: edged in torch light, for the one that matters now. */
  readonly tone?: 'plain' | 'raised' | 'glow';
  readonly padded?: boolean;
}

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
  /** Values by name, in this order; false, null and undefined are left out. */
  readonly of: Readonly<Record<string, ReactNode>>;
  readonly className?: string;
}

export const Facts = ({ of, className = 'grid gap-x-10 lg:grid-cols-2' }: FactsProps) => (
  <dl className={className}>
    {Object.entries(of)
      .filter(([, value]) => value !== false && value !== null && value !== undefined)
      .map(([name, value]) => (
        // With large text on a phone the two do not fit side by side: the value moves below its name.
        <div key={name} className="flex flex-wrap items-baseline gap-x-4 border-t border-line py-2">
          <dt className="basis-34 text-quiet">{name}</dt>
          <dd className="min-w-0 flex-[1_1_8rem] wrap-anywhere">{value}</dd>
        </div>
      ))}
  </dl>
);

interface NumberedStepsProps {
  readonly steps: readonly { readonly title: string; readonly text: string; readonly command?: string | null }[];
}

/** A guide in a few steps, each with a large number. */
export const NumberedSteps = ({ steps }: NumberedStepsProps) => (
  <ol className="mt-8 grid gap-x-8 gap-y-10 md:grid-cols-2">
    {steps.map(({ title, text, command = null }, index) => (
      <li key={title} className="grid grid-cols-[2.5rem_1fr] gap-x-4">
        <span className="title-2 text-ember" aria-hidden="true">
          {index + 1}
        </span>
        <div className="min-w-0">
          <h3 className="title-3 pt-2">{title}</h3>
          <p className="mt-2 text-quiet">{text}</p>
          {command !== null && <code className="mt-3 inline-block bg-raised px-3 py-1.5 wrap-anywhere">{command}</code>}
        </div>
      </li>
    ))}
  </ol>
);
