import type { ReactNode } from 'react';
import { Tally } from './tally.tsx';

export interface SectionHeadingProps {
  readonly title: string;
  /** What the section is called everywhere, over a title that plays. */
  readonly kicker?: string;
  readonly id?: string;
  /** One quiet sentence under the title. */
  readonly children?: ReactNode;
  readonly level?: 2 | 3;
  /** Scratched into the wall beside the title: the section's number. */
  readonly tally?: number;
  readonly className?: string;
}

export function SectionHeading({ title, kicker, id, children, level = 2, tally, className = '' }: SectionHeadingProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className={`section-heading ${className}`}>
      {tally !== undefined && <Tally count={tally} className="section-tally" />}
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
