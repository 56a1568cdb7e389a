import type { ReactNode } from 'react';

interface CardTableProps {
  /** For whoever does not see it. */
  readonly caption: string;
  readonly columns: readonly string[];
  /** Its rows. */
  readonly children: ReactNode;
}

/** A table on a wide screen; a card for each row where its columns would not fit. */
export function CardTable({ caption, columns, children }: CardTableProps) {
  return (
    <table className="table card-table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
