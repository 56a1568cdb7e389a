import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { suiCoinType } from '../../../shared/sui-address.ts';
import { Age } from '../../../ui/age.tsx';
import { UnexpectedAnswer } from '../../../ui/api/api-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { counted, wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import { Problem } from '../../../ui/placeholders.tsx';
import { QueryError } from '../../../ui/query-error.tsx';
import { NoHash } from '../../../ui/recalculation.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import { Part } from '../../../ui/panel.tsx';
import { amountText, type ShownCoin } from '../../core/payout-words.ts';
import { planFile } from '../payout-addresses.ts';
import { CoinType } from '../payout-marks.tsx';
import { Received } from './outcome-facts.tsx';
import { exactSuiText } from './payout-words.ts';
import { SignElsewhere } from './sign-elsewhere.tsx';
import type { SignHereProps } from './sign-here.tsx';
import { type Transaction, usePlan, useSend } from './payouts-calls.ts';
import type { Expected } from './transaction-bytes.ts';

interface WaitingTransactionProps {
  readonly id: number;
  readonly coin: ShownCoin;
  /** Of the published plan. */
  readonly sha256: string | null;
  readonly transaction: Transaction;
}

/** The one transaction that may be executed: what it does, then how it is signed. */
export function WaitingTransaction({ id, coin, sha256, transaction }: WaitingTransactionProps) {
  const { digest, problem, received } = transaction;
  const sending = useSend(id, digest);
  const comparison = useComparison(id, sha256, transaction);
  const { verdict, differenceOf } = comparison;
  return (
    <Part
      id="payout-waiting"
      title={problem === null ? 'The transaction to sign' : 'A transaction that must not be signed'}
    >
      <TransactionFacts transaction={transaction} coin={coin} />
      <Warning>{problem}</Warning>
      <Compared problem={problem} comparison={comparison} />
      {received !== null && <Received received={received} coin={coin} />}
      {verdict.kind === 'equal' && problem === null && (
        <>
          <Part id="payout-sign-here" title="Sign on this page">
            <SignWithWallet bytes={verdict.bytes} sending={sending} />
          </Part>
          <SignElsewhere bytes={verdict.bytes} differenceOf={differenceOf} sending={sending} />
        </>
      )}
    </Part>
  );
}

/** Compares the transaction with the published plan. */
function useComparison(id: number, sha256: string | null, transaction: Transaction) {
  const { treasuryAddress } = useSiteConfig();
  // Most visits sign nothing, so the code is loaded only when there is a transaction.
  const decoder = useQuery({
    queryKey: ['transaction-bytes'],
    queryFn: () => import('./transaction-bytes.ts').catch(throwNoCode),
  });
  const plan = usePlan(planFile(id), id, sha256, treasuryAddress);
  const expected = expectedOf(transaction, treasuryAddress);
  /** null: no difference; undefined: not known yet, as the plan or the code is still loading. */
  const differenceOf = (base64: string): string | null | undefined => {
    if (expected === null || plan.data === undefined) return undefined;
    if (plan.data.problem !== null) return plan.data.problem;
    return decoder.data?.differenceFromPlan(base64, { ...expected, plan: plan.data.plan });
  };
  return { plan, decoder, differenceOf, verdict: signingVerdictOf(transaction.bytes, expected, differenceOf) };
}

/** After an upgrade the code has another name, which only a new page knows. */
function throwNoCode(cause: unknown): never {
  throw new UnexpectedAnswer('It could not be loaded. Check the connection and try again, or reload the page.', {
    cause,
  });
}

type Comparison = ReturnType<typeof useComparison>;

/** Only bytes that equal the plan may be signed. */
type Verdict =
  | { readonly kind: 'not-known-in-full' }
  | { readonly kind: 'not-compared-yet' }
  | { readonly kind: 'different'; readonly difference: string }
  | { readonly kind: 'equal'; readonly bytes: string; readonly lineCount: number };

export function signingVerdictOf(
  bytes: string | null,
  expected: Pick<Expected, 'received'> | null,
  differenceOf: (bytes: string) => string | null | undefined,
): Verdict {
  if (bytes === null || expected === null) return { kind: 'not-known-in-full' };
  const difference = differenceOf(bytes);
  if (difference === undefined) return { kind: 'not-compared-yet' };
  if (difference !== null) return { kind: 'different', difference };
  return { kind: 'equal', bytes, lineCount: expected.received.length };
}

interface ComparedProps {
  readonly problem: string | null;
  readonly comparison: Comparison;
}

function Compared({ problem, comparison: { plan, decoder, verdict } }: ComparedProps) {
  return (
    <>
      {problem === null && verdict.kind === 'not-known-in-full' && (
        <Warning>What it does is not known, so it cannot be signed here.</Warning>
      )}
      {problem === null && verdict.kind === 'not-compared-yet' && (
        <p className="my-4 text-quiet">Whether it equals the plan is not known yet, so it cannot be signed yet.</p>
      )}
      <QueryError text="Failed to load the plan" query={plan} />
      <QueryError text="Failed to load the code that checks the transaction" query={decoder} />
      {verdict.kind === 'different' && (
        <Warning>
          The bytes do not match the plan. Do not sign them, and tell the people who run this site.{' '}
          {foreignText(verdict.difference, 400)}
        </Warning>
      )}
      {verdict.kind === 'equal' && (
        <div className="my-4 border-l-4 border-live py-1 pl-4">
          <p className="font-semibold">
            Equals the plan, line by line: {counted(verdict.lineCount, 'line')}, to the last base unit.
          </p>
          {plan.data !== undefined && <Limits of={plan.data} />}
        </div>
      )}
    </>
  );
}

interface LimitsProps {
  readonly of: NonNullable<Comparison['plan']['data']>;
}

/** What a person has to look up elsewhere, because this page cannot. */
function Limits({ of: { plan, sha256 } }: LimitsProps) {
  return (
    <>
      {sha256 === null ? (
        <NoHash />
      ) : (
        <p className="mt-2 max-w-prose text-quiet wrap-anywhere">
          The plan’s SHA-256, calculated here: <code>{sha256}</code>. Compare it with the announced one.
        </p>
      )}
      <p className="mt-2 max-w-prose text-quiet">
        The bytes do not say whether a line was paid before: look at the treasury in an explorer.
        {plan.coin.type !== suiCoinType && (
          <>
            {' '}
            Nor do they say which coin the coin objects hold: your wallet must show <CoinType type={plan.coin.type} />.
          </>
        )}
      </p>
    </>
  );
}

/** null: not known in full. */
function expectedOf(
  { received, gasBudgetMist, expiresEpoch }: Transaction,
  treasury: string,
): Omit<Expected, 'plan'> | null {
  if (received === null || gasBudgetMist === null || expiresEpoch === null) return null;
  return { received, gasBudgetMist, expiresEpoch, treasury };
}

const Warning = ({ children }: { readonly children: ReactNode }) => (
  <Problem className="my-4 border-l-4 border-danger py-1 pl-4">{children}</Problem>
);

function TransactionFacts({ transaction, coin }: Pick<WaitingTransactionProps, 'transaction' | 'coin'>) {
  const { digest, lines, totalRaw, gasBudgetMist, gasMist, builtAt, builtBy, expiresEpoch } = transaction;
  return (
    <Facts
      className="mt-3 grid gap-x-10 tabular-nums lg:grid-cols-2"
      of={{
        'Leaves the treasury': amountText(totalRaw, coin),
        'Lines paid': wholeNumberOrUnknown(lines),
        'Gas, simulated': exactSuiText(gasMist),
        'Gas, at most': exactSuiText(gasBudgetMist),
        Expires: expiresEpoch === null ? 'Not known' : `At the end of epoch ${expiresEpoch}`,
        Built: builtAt !== null && <Age asOf={builtAt} after={` by ${builtBy}`} />,
        Digest: <code className="text-sm">{digest}</code>,
      }}
    />
  );
}

/** The wallet code is loaded on demand: most visits sign nothing. */
function SignWithWallet(props: SignHereProps) {
  const { data, mutate, isPending, isError } = useMutation({ mutationFn: () => import('./sign-here.tsx') });
  if (data !== undefined) return <data.SignHere {...props} />;
  return (
    <>
      <p className="my-3 text-quiet">In a wallet in this browser that holds the treasury’s account.</p>
      <Button look="torch" busy={isPending} onClick={() => mutate()}>
        Sign with a wallet
      </Button>
      <Problem className="field-error mt-3">
        {isError
          ? 'The wallet code could not be loaded. Check the connection and press again, or reload the page.'
          : null}
      </Problem>
    </>
  );
}
