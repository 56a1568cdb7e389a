import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { shortAddress } from '../../../shared/sui-address.ts';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { counted, wholeOrUnknown } from '../../../ui/decimal-text.ts';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { everyRow, SearchedRows } from '../../../ui/searched-rows.tsx';
import { CardRow } from '../../../ui/tables.tsx';
import { Part } from '../../../ui/panel.tsx';
import { amountText, type ShownCoin, suiText } from './payout-words.ts';
import { SignElsewhere } from './sign-elsewhere.tsx';
import type { SignHereProps } from './sign-here.tsx';
import { type Effects, type PaidLine, type Transaction, usePlan, useSend } from './payouts-calls.ts';

interface WaitingTransactionProps {
  readonly id: number;
  readonly coin: ShownCoin;
  readonly transaction: Transaction;
}

/** The one transaction that may be executed: what it does, then how it is signed. */
export function WaitingTransaction({ id, coin, transaction }: WaitingTransactionProps) {
  const { digest, bytes, problem, effects } = transaction;
  const plan = usePlan(id);
  const sending = useSend(id, digest);
  const differences =
    effects === null || plan.data === undefined ? null : differencesFromPlan(effects, plan.data, coin);
  return (
    <Part
      id="payout-waiting"
      title={problem === null ? 'The transaction to sign' : 'A transaction that must not be signed'}
    >
      <TransactionFacts transaction={transaction} coin={coin} />
      {problem !== null && (
        <p role="alert" className="my-4 border-l-4 border-danger py-1 pl-4 wrap-anywhere">
          {problem}
        </p>
      )}
      <QueryTrouble text="Failed to load the plan" query={plan} />
      <Comparison
        differences={differences}
        isKnown={effects !== null}
        isReading={plan.isLoading}
        paid={effects?.received.length ?? 0}
      />
      {effects !== null && <Received effects={effects} coin={coin} />}
      {bytes !== null && effects !== null && problem === null && differences?.length === 0 && (
        <>
          <Part id="payout-sign-here" title="Sign on this page">
            <SignWithWallet bytes={bytes} lines={effects.received} sending={sending} />
          </Part>
          <SignElsewhere id={id} bytes={bytes} sending={sending} />
        </>
      )}
    </Part>
  );
}

function TransactionFacts({ transaction, coin }: Omit<WaitingTransactionProps, 'id'>) {
  const { digest, lines, totalRaw, gasBudgetMist, gasMist, builtAt, builtBy, expiresEpoch, effects } = transaction;
  return (
    <Facts
      className="mt-3 grid gap-x-10 tabular-nums lg:grid-cols-2"
      of={{
        'Leaves treasury': amountText(effects?.leavesRaw ?? totalRaw, coin),
        'Lines paid': wholeOrUnknown(lines),
        'Gas, simulated': suiText(effects?.gasMist ?? gasMist),
        'Gas, at most': suiText(gasBudgetMist),
        Executable: expiresEpoch === null ? 'Not known until when' : `Until the end of epoch ${expiresEpoch}`,
        Built: builtAt !== null && (
          <>
            <Age asOf={builtAt} /> by {builtBy}
          </>
        ),
        Digest: <code className="text-sm">{digest}</code>,
      }}
    />
  );
}

interface ComparisonProps {
  /** null: not compared. */
  readonly differences: readonly string[] | null;
  /** What the transaction does. */
  readonly isKnown: boolean;
  readonly isReading: boolean;
  readonly paid: number;
}

const shownMax = 20;

function Comparison({ differences, isKnown, isReading, paid }: ComparisonProps) {
  if (differences?.length === 0) {
    return (
      <p className="my-4 border-l-4 border-live py-1 pl-4 font-semibold">
        Equals the plan, line by line: {counted(paid, 'line')}, to the last base unit.
      </p>
    );
  }
  if (differences === null) {
    if (isKnown && isReading) return <p className="my-4 text-quiet">Comparing it with the plan…</p>;
    return (
      <p role="alert" className="my-4 border-l-4 border-danger py-1 pl-4">
        {isKnown ? 'It could not be compared with the plan' : 'What it does is not known'}, so it cannot be signed here.
      </p>
    );
  }
  return (
    <div role="alert" className="my-4 border-l-4 border-danger py-1 pl-4 wrap-anywhere">
      <p className="font-semibold text-danger">
        It does not match the plan. Do not sign it, and tell the people who run this site.
      </p>
      <ul className="mt-2 list-disc pl-5">
        {differences.slice(0, shownMax).map((difference) => (
          <li key={difference}>{difference}</li>
        ))}
        {differences.length > shownMax && <li>and {counted(differences.length - shownMax, 'other')}</li>}
      </ul>
    </div>
  );
}

/**
 * What a transaction does otherwise than the published plan, a sentence each; none: each that it pays is a line of the plan, with the
 * amount and the rocks of that line, and once. Pure.
 */
export function differencesFromPlan(
  { received, leavesRaw }: Effects,
  plan: readonly PaidLine[],
  coin: ShownCoin,
): readonly string[] {
  const lineOf = new Map(plan.map((line) => [line.address, line]));
  const seen = new Set<string>();
  const differences = received.flatMap((paid) => {
    const line = lineOf.get(paid.address);
    const isAgain = seen.has(paid.address);
    seen.add(paid.address);
    const amount = amountText(paid.raw, coin);
    const who = shortAddress(paid.address);
    if (line === undefined) return [`${who} gets ${amount} and is not in the plan.`];
    if (isAgain) return [`${who} is paid a second time, ${amount}.`];
    if (line.raw !== paid.raw) return [`${who} gets ${amount}; the plan says ${amountText(line.raw, coin)}.`];
    if (line.rocks.join() !== paid.rocks.join()) return [`${who} is paid for other rocks than the plan says.`];
    return [];
  });
  const sum = String(received.reduce((total, paid) => total + BigInt(paid.raw), 0n));
  return sum === leavesRaw
    ? differences
    : [...differences, `${amountText(leavesRaw, coin)} leaves the treasury; those paid get ${amountText(sum, coin)}.`];
}

/** Who receives what: searchable, a page at a time. */
function Received({ effects: { received }, coin }: { readonly effects: Effects; readonly coin: ShownCoin }) {
  const [filter, setFilter] = useState(everyRow);
  return (
    <Part id="payout-received" title="Who receives what">
      <div className="mt-3">
        <SearchedRows
          all={received}
          filter={filter}
          onFilter={setFilter}
          caption="Who receives what"
          columns={['Address', 'Rocks', 'Amount']}
          textOf={({ address, rocks }) => `${address} ${rocks.map((rock) => `#${rock}`).join(' ')}`}
          placeholder="address or #rock"
          nothingFound="No line of this transaction matches the search."
          rowsPerPage={10}
          searchedFrom={10}
        >
          {({ address, rocks, raw }) => (
            <CardRow
              key={address}
              cells={{
                Address: (
                  <code title={address} className="font-normal">
                    {shortAddress(address)}
                  </code>
                ),
                Rocks: rocksText(rocks),
                Amount: <span className="tabular-nums">{amountText(raw, coin)}</span>,
              }}
            />
          )}
        </SearchedRows>
      </div>
    </Part>
  );
}

const rocksMax = 8;
/** One holder may have all 555. */
const rocksText = (rocks: readonly number[]): string => {
  const shown = rocks.slice(0, rocksMax).map((rock) => `#${rock}`);
  return rocks.length > rocksMax ? `${shown.join(' ')} and ${rocks.length - rocksMax} more` : shown.join(' ');
};

/** The code of wallets comes when it is asked for: most visits sign nothing. */
function SignWithWallet(props: SignHereProps) {
  const { data, mutate, isPending, isError } = useMutation({ mutationFn: () => import('./sign-here.tsx') });
  if (data !== undefined) return <data.SignHere {...props} />;
  return (
    <>
      <p className="my-3 text-quiet">In a wallet in this browser that holds the treasury’s account.</p>
      <Button look="torch" busy={isPending} onClick={() => mutate()}>
        Sign with a wallet
      </Button>
      {isError && (
        <p role="alert" className="field-error mt-3">
          The wallet code could not be loaded. Check the connection and press again, or reload the page.
        </p>
      )}
    </>
  );
}
