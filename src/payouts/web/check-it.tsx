import { useMutation } from '@tanstack/react-query';
import { readAnswer } from '../../ui/api/answer-schema.ts';
import { failureText, UnexpectedAnswer } from '../../ui/api/api-client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { counted, wholeNumberText } from '../../ui/decimal-text.ts';
import { Problem } from '../../ui/placeholders.tsx';
import { browserSha256 } from '../../ui/api/published-file.ts';
import { NoHash, RecalculationProblems } from '../../ui/recalculation.tsx';
import { usePublicAnswer } from '../../ui/api/use-public-answer.ts';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { checkPayments, transfersOf } from '../core/check/check-payments.ts';
import { listProblems } from '../core/check/check-plan.ts';
import { amountText, paidNotKnownYet } from '../core/payout-words.ts';
import { allLines, linesCall, payoutLink, planFile } from './payout-addresses.ts';
import {
  examinePlanAt,
  payoutPageAnswer,
  payoutsPageAnswer,
  payoutsPath,
  type ShownPayout,
  type ShownSummary,
} from './payouts-answer.ts';

/** Rulings R9: the reader's own browser recalculates the payout; the command asks the chain itself. */
export function CheckIt({ payout }: { readonly payout: ShownPayout }) {
  const { publicUrl } = useSiteConfig();
  const all = usePublicAnswer(payoutsPath, payoutsPageAnswer).data?.payouts ?? [];
  const check = useMutation<ExaminedPayout, Error, ShownPayout>({ mutationFn: examinePayout });
  return (
    <section aria-labelledby="check-it" className="mt-12">
      <h2 id="check-it" className="title-3">
        Check it yourself
      </h2>
      <p className="mt-3 max-w-2xl text-quiet">
        Your browser recalculates the hash, the shares and the sums, and compares every line with its transactions.
      </p>
      <div className="mt-4 space-y-4">
        <Button look="torch" busy={check.isPending} onClick={() => check.mutate(payout)}>
          Calculate it here
        </Button>
        <Problem>{check.error && `It could not be checked: ${failureText(check.error)}`}</Problem>
        {check.data !== undefined && <Findings found={check.data} />}
        <p className="max-w-prose text-quiet">
          Without this page: the plan&rsquo;s bytes have that SHA-256 in any tool, and this command of the site&rsquo;s
          source code reads the transactions from a Sui node of your choice.
        </p>
        <p>
          <code className="wrap-anywhere">
            npm run verify-payout -- {publicUrl}
            {payoutLink(payout.id)}
          </code>
        </p>
        {sharedInWords(payout, all).map((sentence) => (
          <p key={sentence} className="max-w-prose">
            {sentence}
          </p>
        ))}
      </div>
    </section>
  );
}

type Rival = Pick<ShownSummary, 'id' | 'coin' | 'shareRaw' | 'withdrawn' | 'lines'>;

/** One sentence for each other payout that awaits or awaited the same payments. */
export function sharedInWords(payout: Rival, all: readonly Rival[]): readonly string[] {
  return all.flatMap((other) => {
    const isAlike = other.coin.type === payout.coin.type && other.shareRaw === payout.shareRaw;
    const older = other.id < payout.id ? other : payout;
    const isEitherWithdrawn = payout.withdrawn !== null || other.withdrawn !== null;
    if (other.id === payout.id || !isAlike || isEitherWithdrawn || older.lines?.open === 0) return [];
    return [
      `Payments that fit both payout ${payout.id} and payout ${other.id} are counted for payout ${older.id}, the older one; ` +
        'this page counts a transaction that was built here for its own payout.',
    ];
  });
}

function Findings({ found }: { readonly found: ExaminedPayout }) {
  const { plan, problems, canHash } = found;
  if (problems.length > 0 || plan === null) return <RecalculationProblems problems={problems} canHash={canHash} />;
  const { lines, coin, shareRaw, totalRaw, remainderRaw, leftOut } = plan;
  const rocks = lines.reduce((count, line) => count + line.rocks.length, 0);
  const addresses = leftOut.filter(({ address }) => address !== null).length;
  const unowned = leftOut.reduce((count, row) => (row.address === null ? count + row.rocks.length : count), 0);
  return (
    <Card role="status">
      <p className="title-3 text-gain">Adds up</p>
      <p className="mt-3 max-w-prose wrap-anywhere">
        {amountText(shareRaw, coin)} for each of {counted(rocks, 'rock')}, each named once;{' '}
        {counted(lines.length, 'line')}, each address once; together {amountText(totalRaw, coin)}
        {remainderRaw !== '0' && `, and ${amountText(remainderRaw, coin)} stays in the treasury`}.{' '}
        {addresses === 1 ? '1 address is' : `${wholeNumberText(addresses)} addresses are`} left out
        {unowned > 0 && `, and ${counted(unowned, 'rock')} without a known owner`}.
        {canHash && ' The SHA-256 is the one that was published.'}
      </p>
      <p className="mt-3 max-w-prose">{paidInWords(found)}</p>
      {!canHash && <NoHash />}
    </Card>
  );
}

type Paid = Pick<ExaminedPayout, 'asOf' | 'isWithdrawn' | 'paid' | 'open' | 'transactions'>;

export function paidInWords({ asOf, isWithdrawn, paid, open, transactions }: Paid): string {
  const by = `by ${counted(transactions, 'transaction')}`;
  if (open === 0) return `Every line is paid once and to the last unit, ${by}.`;
  if (asOf === null) return paidNotKnownYet;
  const yet = isWithdrawn ? '' : ' yet';
  if (paid === 0) return `None of it has been paid${yet}.`;
  return `${counted(paid, 'line')} paid once and to the last unit, ${by}; ${counted(open, 'line')} not paid${yet}.`;
}

type ExaminedPayout = Awaited<ReturnType<typeof examinePayout>>;

const notAPlan = { plan: null, asOf: null, isWithdrawn: false, paid: 0, open: 0, transactions: 0 };

/** Reads the plan and every line with its payments, and recalculates all of it (rulings R9). */
async function examinePayout({ id, sha256 }: ShownPayout) {
  const examined = await examinePlanAt(planFile(id), sha256);
  const canHash = browserSha256() !== null;
  if ('problem' in examined) return { ...notAPlan, canHash, problems: [examined.problem] };
  const { plan, problems } = examined;
  const { found: lines, strays, asOf, withdrawn } = await readPayout(id);
  const payments = [...lines.flatMap((line) => line.payments), ...strays];
  const transfers = transfersOf(plan, payments);
  const found = checkPayments(plan, transfers);
  return {
    plan,
    asOf,
    isWithdrawn: withdrawn !== null,
    canHash,
    problems: [...problems, ...listProblems(plan, lines), ...found.problems],
    paid: found.paid,
    open: found.open.length,
    transactions: transfers.length,
  };
}

/** With all of its lines. */
async function readPayout(id: number): Promise<ShownPayout> {
  const lines: ShownPayout['found'] = [];
  for (let page = 1; ; page += 1) {
    const answer = await readAnswer({ path: linesCall(id, { ...allLines, page }) }, payoutPageAnswer);
    if (answer.total === null) throw new UnexpectedAnswer('the server does not say how many lines there are.');
    lines.push(...answer.found);
    if (answer.found.length === 0 || lines.length >= answer.total) return { ...answer, found: lines };
  }
}
