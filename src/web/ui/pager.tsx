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
          <Button size="small" disabled={page === 0} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <span className="text-sm text-quiet">
            Page {page + 1} of {pageCount}
          </span>
          <Button size="small" disabled={page === pageCount - 1} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
