import { monthName } from '../../../shared/utc-month.ts';
import { usePublicAnswer } from '../../../ui/api/use-public-answer.ts';
import { Button } from '../../../ui/button.tsx';
import { wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import { PageLink } from '../../../ui/links.tsx';
import { EmptyState, LoadingLines, MissingItemNote } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { ServerSnapshot } from '../../../ui/server-written.tsx';
import { DataTable } from '../../../ui/tables.tsx';
import { useCopy } from '../../../ui/toast/toast-provider.tsx';
import { closingText } from '../number-format.ts';

import { FileCheck, type PublishedStatement, statementsPage, statementsPath } from './findings.tsx';
import { statementFile, statementLink } from './statement-addresses.ts';

/** The monthly statements of the treasury, newest first (docs/decisions/0037). */
export function StatementsPage() {
  const query = usePublicAnswer(statementsPath, statementsPage);
  return (
    <section className="wrap min-h-dvh py-12 sm:py-16">
      <h1 className="title-2">Monthly statements</h1>
      <p className="mt-4 max-w-2xl text-lg text-quiet">
        What the treasury had, what came in, what went out and what was left, month by month (UTC). Each statement is
        made once and names the hash of the one before: with a file or hash that you kept, no later change can be hidden
        from you. Open one, and your browser recalculates it.
      </p>
      <div className="needs-script mt-8 min-h-dvh">
        <Answered query={query} failure="Failed to load the statements" loading={<LoadingLines count={12} />}>
          {({ statements, reason }) =>
            statements.length === 0 ? (
              <EmptyState>{reason ?? 'There is no statement yet.'}</EmptyState>
            ) : (
              <>
                {reason !== null && <MissingItemNote>{reason}</MissingItemNote>}
                <DataTable
                  caption="Statements"
                  rows={statements}
                  keyOf={({ month }) => month}
                  columns={[
                    { name: 'Month', cell: MonthLink },
                    { name: 'Movements', cell: ({ entries }) => wholeNumberOrUnknown(entries), numeric: true },
                    { name: 'Value at the end', cell: closingText, numeric: true },
                    { name: 'SHA-256', cell: hashOf },
                    { name: 'File', cell: FileLink },
                  ]}
                />
              </>
            )
          }
        </Answered>
      </div>
      <ServerSnapshot of="statements" />
      <FileCheck />
    </section>
  );
}

const MonthLink = ({ month }: PublishedStatement) => (
  <PageLink to={statementLink(month)} className="link inline-flex min-h-11 items-center whitespace-nowrap">
    {monthName(month)}
  </PageLink>
);

const FileLink = ({ month }: PublishedStatement) => (
  <a className="link inline-flex min-h-11 min-w-11 items-center" href={statementFile(month)} download>
    JSON<span className="sr-only"> of {monthName(month)}</span>
  </a>
);

const hashOf = (statement: PublishedStatement) => <Hash statement={statement} />;

function Hash({ statement: { month, sha256 } }: { readonly statement: PublishedStatement }) {
  const name = monthName(month);
  const copy = useCopy(sha256, `SHA-256 of ${name} copied to clipboard`, 'Open the statement and copy it by hand');
  return (
    <span className="inline-flex items-center gap-2">
      <code title={sha256}>{sha256.slice(0, 8)}…</code>
      <Button size="small" look="ghost" about={`the SHA-256 of ${name}`} onClick={() => void copy()}>
        Copy
      </Button>
    </span>
  );
}
