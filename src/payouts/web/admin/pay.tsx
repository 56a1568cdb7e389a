import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { Age } from '../../../ui/age.tsx';
import { failureText } from '../../../ui/api/api-client.ts';
import { pollEveryMs } from '../../../ui/api/use-answer.ts';
import { usePublicAnswer } from '../../../ui/api/use-public-answer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { counted, wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import { ExternalLink, PageLink } from '../../../ui/links.tsx';
import { Line, Lines, Panel, Part } from '../../../ui/panel.tsx';
import { LoadingLines, Problem } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { digestPattern } from '../../../shared/sui-address.ts';
import { amountText, notADigest, type ShownCoin } from '../../core/payout-words.ts';
import { allLines, linesCall, payoutLink } from '../payout-addresses.ts';
import { AsOf, Deviations } from '../payout-marks.tsx';
import { payoutOnChain } from '../payouts-answer.ts';
import {
  type ChainCheckResult,
  type Payout,
  type Transaction,
  useBuild,
  useChainCheck,
  useTransactions,
} from './payouts-calls.ts';
import { WaitingTransaction } from './waiting-transaction.tsx';

interface PayProps {
  readonly payout: Payout;
  readonly coin: ShownCoin;
}

/** Pays a published plan, one transaction at a time, signed by the team, and shows its state on chain. */
export function Pay({ payout: { id, withdrawn, plan }, coin }: PayProps) {
  const query = useTransactions(id);
  const { data: seen } = usePublicAnswer(linesCall(id, allLines), payoutOnChain, { everyMs: pollEveryMs });
  // Until the chain is read, every line counts as open.
  const isRead = (seen?.asOf ?? null) !== null;
  return (
    <Panel id="payout-pay" title="Pay" query={query} refreshText={null}>
      <p className="my-4 max-w-prose self-start border-l-3 border-torch pl-5">
        <strong>Here the team signs a transfer.</strong> What is signed on this page moves coins out of the treasury,
        unlike the message that holders sign at /verify. This site has no key: without your signature nothing moves.
      </p>
      {seen !== undefined && <OnChain id={id} coin={coin} seen={seen} />}
      <Answered query={query} failure="Failed to load the transactions" loading={<LoadingLines />}>
        {({ transactions, open }) => {
          const waiting = transactions.find(({ state }) => state === 'waiting');
          const over = transactions.filter(({ state }) => state !== 'waiting');
          return (
            <>
              {waiting === undefined ? (
                <Build
                  id={id}
                  coin={coin}
                  open={isRead ? open : null}
                  isFirst={over.length === 0}
                  isWithdrawn={withdrawn !== null}
                />
              ) : (
                <WaitingTransaction
                  key={waiting.digest}
                  id={id}
                  coin={coin}
                  sha256={plan?.sha256 ?? null}
                  transaction={waiting}
                />
              )}
              <details className="audit-fold">
                <summary>Executed elsewhere?</summary>
                <CheckChain id={id} />
              </details>
              {over.length > 0 && <Past transactions={over} coin={coin} />}
            </>
          );
        }}
      </Answered>
    </Panel>
  );
}

interface OnChainProps {
  readonly id: number;
  readonly coin: ShownCoin;
  readonly seen: z.output<typeof payoutOnChain>;
}

/** Unknown is never zero (rulings R3): the team decides here whether to pay by hand. */
function OnChain({ id, coin, seen }: OnChainProps) {
  const { lines, paidRaw } = seen.asOf === null ? { lines: null, paidRaw: null } : seen;
  return (
    <>
      <Facts
        className="grid gap-x-10 tabular-nums lg:grid-cols-2"
        of={{
          'Lines open': wholeNumberOrUnknown(lines?.open ?? null),
          'Lines paid': wholeNumberOrUnknown(lines?.paid ?? null),
          'Paid so far': amountText(paidRaw, coin),
        }}
      />
      <AsOf asOf={seen.asOf} />
      <Deviations payout={seen}>
        <PageLink className="link" to={payoutLink(id)}>
          See which
        </PageLink>
      </Deviations>
    </>
  );
}

interface BuildProps {
  readonly id: number;
  readonly coin: ShownCoin;
  readonly open: { readonly lines: number | null; readonly raw: string | null } | null;
  readonly isFirst: boolean;
  readonly isWithdrawn: boolean;
}

function Build({ id, coin, open, isFirst, isWithdrawn }: BuildProps) {
  const { send, busy, problem } = useBuild(id);
  if (isWithdrawn) return <p className="mb-5">The payout is withdrawn: no transaction is built for it.</p>;
  if (open?.lines === 0)
    return (
      <p className="mb-5">
        Nothing is left to pay.{' '}
        <PageLink className="link" to={payoutLink(id)}>
          The payout as everyone sees it
        </PageLink>
      </p>
    );
  return (
    <div className="mb-5">
      <p className="mb-3 max-w-prose">
        {open?.lines == null
          ? 'The number of open lines is not known.'
          : `Open: ${counted(open.lines, 'line')}, ${amountText(open.raw, coin)}.`}{' '}
        The transaction pays the open lines and is simulated. You can check it before anyone signs.
      </p>
      <Button look="torch" busy={busy} onClick={() => send()}>
        {isFirst ? 'Build the transaction' : 'Build the next transaction'}
      </Button>
      <Problem className="field-error mt-3">{problem}</Problem>
    </div>
  );
}

const chainCheckWords: Readonly<Record<NonNullable<ChainCheckResult>, string>> = {
  executed: 'It is on chain and executed. It pays lines of this payout.',
  'pays-no-line': 'It is on chain and executed, but it pays no line of this payout.',
  failed: 'It is on chain, but failed: only gas was spent.',
  'not-found':
    'The node does not know it: it may still come, is on another network, or is so old that the node no longer has it.',
  'not-of-the-treasury': 'It is on chain, but the treasury did not sign it.',
};

/** For a transaction that was executed elsewhere. */
function CheckChain({ id }: { readonly id: number }) {
  const [typed, setTyped] = useState('');
  const check = useMutation({ mutationFn: useChainCheck(id) });
  const digest = typed.trim();
  const wrong = digest !== '' && !digestPattern.test(digest);
  return (
    <div className="grid gap-3 pt-2 pb-2">
      <TextField
        label="Digest (optional)"
        hint="If another tool has already executed it: the digest it shows."
        value={typed}
        error={wrong ? notADigest : undefined}
        autoComplete="off"
        spellCheck={false}
        onText={(text) => {
          check.reset();
          setTyped(text);
        }}
      />
      <Button
        size="small"
        className="justify-self-start"
        busy={check.isPending}
        disabled={wrong}
        onClick={() => check.mutate(digest === '' ? null : digest)}
      >
        Check the chain
      </Button>
      <div aria-live="polite">
        {check.error !== null && <p className="field-error wrap-anywhere">{failureText(check.error)}</p>}
        {check.data !== undefined && (
          <p className="font-semibold">
            {check.data === null ? 'The chain was read up to now.' : chainCheckWords[check.data]}
          </p>
        )}
      </div>
    </div>
  );
}

const pastStates = {
  executed: { word: 'Executed', tone: 'live' },
  failed: { word: 'Failed: only gas was spent', tone: 'danger' },
  expired: { word: 'Expired, never executed', tone: 'unavailable' },
  spent: { word: 'Replaced: its coins were spent elsewhere', tone: 'unavailable' },
} as const;

const pastStateInWords = (state: Transaction['state']) =>
  state === null || state === 'waiting' ? { word: 'State not known', tone: 'unavailable' as const } : pastStates[state];

const Past = ({ transactions, coin }: { readonly transactions: readonly Transaction[]; readonly coin: ShownCoin }) => (
  <Part id="payout-transactions" title="Earlier transactions">
    <Lines labelledBy="payout-transactions" className="mt-3">
      {transactions.map(({ digest, state, lines, totalRaw, executedAt, builtAt, builtBy, explorerUrl }) => {
        const { word, tone } = pastStateInWords(state);
        return (
          <Line
            key={digest}
            end={explorerUrl !== null && <ExternalLink href={explorerUrl}>See it on the explorer</ExternalLink>}
          >
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <code>{digest}</code>
              <Badge tone={tone}>{word}</Badge>
            </p>
            <p className="text-sm text-quiet tabular-nums">
              {lines === null ? 'Lines not known' : counted(lines, 'line')}, {amountText(totalRaw, coin)}
              <Age asOf={executedAt} before=", executed " />
              {executedAt === null && <Age asOf={builtAt} before=", built " after={` by ${builtBy}`} />}
            </p>
          </Line>
        );
      })}
    </Lines>
  </Part>
);
