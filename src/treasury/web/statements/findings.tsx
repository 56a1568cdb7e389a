import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type * as z from 'zod/mini';

import { monthName } from '../../../shared/utc-month.ts';
import { readable, readAnswer } from '../../../ui/api/answer-schema.ts';
import { failureText } from '../../../ui/api/api-client.ts';
import { Card } from '../../../ui/card.tsx';
import { counted } from '../../../ui/decimal-text.ts';
import { browserSha256, readPublishedFile } from '../../../ui/api/published-file.ts';
import { NoHash, RecalculationProblems } from '../../../ui/recalculation.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { checkStatement, readStatement, type Statement } from '../../core/statement-check.ts';
import { statementsAnswer } from '../../ledger-contract.ts';
import { statementFile } from './statement-addresses.ts';

export const statementsPath = '/api/treasury/statements';

/** What the pages use of GET /api/treasury/statements. null: unknown. */
export const statementsPage = readable(statementsAnswer, ['statements', 'month', 'sha256']);
export type PublishedStatement = z.output<typeof statementsPage>['statements'][number];

export interface Examined {
  /** null: the file is not a statement. */
  readonly statement: Statement | null;
  /** What is published for its month; null: nothing. */
  readonly published: PublishedStatement | null;
  /** The month before, if a statement for it is published. */
  readonly monthBefore: string | null;
  /** Whether this browser calculates SHA-256, which it does only over https and on localhost. */
  readonly canHash: boolean;
  /** One sentence for each problem; empty: everything adds up. */
  readonly problems: readonly string[];
}

const longestFileBytes = 64 * 1024 * 1024;
const tooLong = 'This file is larger than 64 MB: no statement is that long.';
const unreadable =
  'Your browser could not read this file: it was moved or changed meanwhile, or is not on this device. Choose it again.';

const notExamined = (problem: string): Examined => ({
  statement: null,
  published: null,
  monthBefore: null,
  canHash: true,
  problems: [problem],
});

async function examineFile(file: File): Promise<Examined> {
  if (file.size > longestFileBytes) return notExamined(tooLong);
  const bytes = await file.arrayBuffer().catch(() => null);
  // `file.text()` would leave a byte order mark out.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  return bytes === null ? notExamined(unreadable) : examine(utf8.decode(bytes));
}

/** Checks a file against itself, against what is published for its month, and against the statement of the month before. */
export async function examine(file: string, signal?: AbortSignal): Promise<Examined> {
  const sha256 = browserSha256();
  const read = readStatement(file);
  const nothing = { statement: null, published: null, monthBefore: null, canHash: sha256 !== null };
  if ('problem' in read) return { ...nothing, problems: [read.problem] };
  const { statement } = read;
  const { statements } = await readAnswer({ path: statementsPath, ...(signal && { signal }) }, statementsPage);
  const found = statements.find(({ month }) => month === statement.month) ?? null;
  // Newest first.
  const monthBefore = statements.find(({ month }) => month < statement.month)?.month ?? null;
  const before = monthBefore === null ? null : await readPublishedFile(statementFile(monthBefore), signal);
  const problems = await checkStatement({ file, publishedSha256: found?.sha256 ?? null, before, sha256 });
  return { statement, published: found, monthBefore, canHash: sha256 !== null, problems };
}

/** What the browser found when it recalculated a statement: 'Adds up', or each place where it does not. */
export function Findings({ examined }: { readonly examined: Examined }) {
  const { statement, problems, monthBefore, canHash } = examined;
  if (problems.length > 0) return <RecalculationProblems problems={problems} canHash={canHash} />;
  return (
    <Card role="status">
      <p className="title-3 text-gain">Adds up</p>
      <p className="mt-3 max-w-prose">
        Your browser has added up {counted(statement?.entries.length ?? 0, 'movement')}. For{' '}
        {counted(statement?.coins.length ?? 0, 'coin')} the opening balance is{' '}
        {monthBefore === null ? 'zero, as this is the first statement' : `that at the end of ${monthName(monthBefore)}`}
        , and opening + in − out = closing, to the last unit. Values and totals are right.
        {canHash && ' The SHA-256 is the one that was published.'}
      </p>
      {!canHash && <NoHash />}
    </Card>
  );
}

/** Rulings R8: the same check for any file, so that anyone who kept one can see whether it is the published one. */
export function FileCheck() {
  const check = useMutation<Examined, Error, File>({ mutationFn: examineFile });
  const { mutate, reset } = check;
  const choose = useCallback(
    (file: File | undefined): void => {
      if (file !== undefined) mutate(file);
      else reset();
    },
    [mutate, reset],
  );
  const field = useRef<HTMLInputElement>(null);
  // Takes over a file that was chosen before the page's scripts ran.
  useEffect(() => choose(field.current?.files?.[0]), [choose]);
  return (
    <section aria-labelledby="own-file" className="needs-script mt-16">
      <SectionHeading id="own-file" title="Check your own file" level={2}>
        Check whether a statement that you kept, or were sent, is the one published here. It stays in your browser.
      </SectionHeading>
      <TextField
        label="A statement as a JSON file"
        type="file"
        ref={field}
        accept=".json,application/json"
        className="mt-6 mb-6 max-w-xl"
        error={check.error === null ? undefined : failureText(check.error)}
        // Otherwise a file that is chosen again, such as one that was edited, would not be a change.
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
          choose(undefined);
        }}
        onChange={({ target }) => choose(target.files?.[0])}
      />
      {check.data !== undefined && (
        <>
          {check.data.statement !== null && (
            <p className="mb-3 font-semibold">Your file of {monthName(check.data.statement.month)}:</p>
          )}
          <Findings examined={check.data} />
        </>
      )}
    </section>
  );
}
