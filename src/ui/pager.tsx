import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface PagerProps {
  /** '1 to 50 of 10,000'. */
  readonly range: string;
  readonly page: number;
  readonly pageCount: number;
  readonly nothing: boolean;
  readonly onPage: (page: number) => void;
}

/** How many there are, and the way through them where one page does not hold them. */
export function Pager({ range, page, pageCount, nothing, onPage }: PagerProps) {
  return (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap items-center gap-3">
      <output className="flex-1 text-sm text-quiet">{nothing ? '' : `Showing ${range}`}</output>
      {pageCount > 1 && (
        <>
          <Step possible={page > 0} onStep={() => onPage(page - 1)}>
            Previous
          </Step>
          <span className="text-sm text-quiet">
            Page {page + 1} of {pageCount}
          </span>
          <Step possible={page < pageCount - 1} onStep={() => onPage(page + 1)}>
            Next
          </Step>
        </>
      )}
    </nav>
  );
}

interface StepProps {
  readonly possible: boolean;
  readonly onStep: () => void;
  readonly children: ReactNode;
}

/** Disabled in name alone, as a busy button is: who pages to the end with the keyboard stays where they are. */
function Step({ possible, onStep, children }: StepProps) {
  return (
    <Button size="small" aria-disabled={!possible} onClick={possible ? onStep : undefined}>
      {children}
    </Button>
  );
}
