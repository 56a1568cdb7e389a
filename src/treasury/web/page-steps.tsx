import { Button } from '../../ui/button.tsx';
import { whole } from '../../ui/decimal-text.ts';

interface PageStepsProps {
  /** 'Pages of movements'. */
  readonly label: string;
  readonly total: number | null;
  readonly page: number | null;
  readonly pageSize: number | null;
  readonly onPage: (page: number) => void;
}

/** From one page of a list to the next, newest first; nothing where there is only one. */
export function PageSteps({ label, total, page, pageSize, onPage }: PageStepsProps) {
  if (total === null || page === null || pageSize === null || total <= pageSize) return null;
  const last = Math.ceil(total / pageSize);
  const step = (name: string, to: number) => (
    <Button size="small" aria-disabled={to < 1 || to > last} onClick={() => to >= 1 && to <= last && onPage(to)}>
      {name}
    </Button>
  );
  return (
    <nav aria-label={label} className="page-steps">
      {step('Newer', page - 1)}
      <p>
        Page {whole(page)} of {whole(last)}
      </p>
      {step('Older', page + 1)}
    </nav>
  );
}
