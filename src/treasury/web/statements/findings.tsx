import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';

import { monthName } from '../../../shared/utc-month.ts';
import { failureText } from '../../../ui/api/api-client.ts';
import { Card } from '../../../ui/card.tsx';
import { counted } from '../../../ui/decimal-text.ts';
import { DoesNotAddUp, NoHash } from '../../../ui/recalculation.tsx';
import { SectionHeading } from '../../../ui/section-heading.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { type Examined, examineFile } from './examine.ts';

/** What the browser found when it recalculated a statement: 'Adds up', or each place where it does not. */
export function Findings({ examined }: { readonly examined: Examined }) {
  const { statement, problems, monthBefore, canHash } = examined;
  if (problems.length > 0) return <DoesNotAddUp problems={problems} canHash={canHash} />;
  return (
    <Card role="status">
      <p className="title-3 text-gain">Adds up</p>
      <p className="mt-3 max-w-prose">
        Your browser has added up {counted(statement?.entries.length ?? 0, 'movement')}. Of{' '}
        {counted(statement?.coins.length ?? 0, 'coin')} the opening is{' '}
        {monthBefore === null ? 'nothing, as this is the first statement' : `the closing of ${monthName(monthBefore)}`},
        and opening + in − out = closing, to the last unit. Values and totals are right.
        {canHash && ' The SHA-256 is the one that was published.'}
      </p>
      {!canHash && <NoHash />}
    </Card>
  );
}

/** Rulings R8: the same for any file, so that whoever has kept one sees whether it is what is published. */
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
  // One that was chosen before the page came to life.
  useEffect(() => choose(field.current?.files?.[0]), [choose]);
  return (
    <section aria-labelledby="own-file" className="needs-script mt-16">
      <SectionHeading id="own-file" title="Check a file of yours" level={2}>
        Check whether a statement that you kept, or were sent, is the one published here. It stays in your browser.
      </SectionHeading>
      <TextField
        label="A statement as a JSON file"
        type="file"
        ref={field}
        accept=".json,application/json"
        className="mt-6 mb-6 max-w-xl"
        error={check.error === null ? undefined : failureText(check.error)}
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
