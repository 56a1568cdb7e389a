import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface SectionHeadingProps {
  readonly title: string;
  /** The section's usual name, above a playful title. */
  readonly kicker?: string;
  readonly id?: string;
  readonly children?: ReactNode;
  readonly level?: 2 | 3;
  /** A count shown as tally marks beside the title. */
  readonly tally?: number;
  readonly className?: string;
}

export function SectionHeading({ title, kicker, id, children, level = 2, tally, className }: SectionHeadingProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className={className}>
      {tally !== undefined && <Tally count={tally} className="mb-3 block" />}
      <Heading id={id} className={level === 2 ? 'title-2' : 'title-3'}>
        {kicker !== undefined && (
          <>
            <span className="kicker">{kicker}</span>{' '}
          </>
        )}
        {title}
      </Heading>
      {children !== undefined && <p className="mt-3 max-w-2xl text-lg text-quiet">{children}</p>}
    </div>
  );
}

interface FocusedHeadingProps {
  readonly id?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Takes the focus when it appears: the element that had it is gone, and screen reader users continue from here. */
export function FocusedHeading({ id, className = '', children }: FocusedHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A layout effect, so that a button of `useAddressDetail` that gets the focus back takes it afterwards.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <h2 id={id} ref={heading} tabIndex={-1} className={`title-3 ${className}`}>
      {children}
    </h2>
  );
}

const strokes = ['M5 2 3.5 22', 'M12.5 1 11.5 21.5', 'M19 2.5 19.5 22', 'M27.5 1.5 26 21'];
const across = 'M0.5 18 15 11 30.5 5';

/** A count as tally marks: every fifth stroke crosses the four before it. Decoration beside a number in words. */
export function Tally({ count, className = '' }: { readonly count: number; readonly className?: string }) {
  const bundles = Array.from({ length: Math.ceil(count / 5) }, (_, index) => Math.min(5, count - index * 5));
  return (
    <svg viewBox={`0 0 ${bundles.length * 40 - 8} 24`} className={`tally ${className}`} aria-hidden="true">
      {bundles.map((size, index) => (
        <path
          key={index}
          transform={`translate(${index * 40} 0)`}
          d={strokes.slice(0, Math.min(4, size)).join('') + (size === 5 ? across : '')}
        />
      ))}
    </svg>
  );
}

export const StrataDivider = () => (
  <svg viewBox="0 0 1200 24" preserveAspectRatio="none" className="strata" aria-hidden="true">
    <path d="M0 6 90 4 150 9 310 5 420 8 590 3 700 7 860 5 980 9 1090 4 1200 7" />
    <path d="M0 13 120 12 260 16 380 11 560 14 690 12 820 16 1010 12 1120 15 1200 13" />
    <path d="M0 20 180 18 270 22 480 19 640 21 770 18 930 22 1060 19 1200 21" />
  </svg>
);
