import { type FormEvent } from 'react';
import { useLocation } from 'wouter';

import { foreignText } from '../../shared/foreign-text.ts';
import { shortAddress } from '../../shared/sui-address.ts';
import { Age } from '../../ui/age.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { counted } from '../../ui/decimal-text.ts';
import { ExternalLink, PageLink } from '../../ui/links.tsx';
import { NothingFound } from '../../ui/placeholders.tsx';
import { CardRow, CardTable, PageLinks } from '../../ui/tables.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { amountText } from '../core/payout-words.ts';
import { choiceIn, everyLine, findName, type LineChoice, searchOf, payoutLink } from './payout-addresses.ts';
import { LineBadge } from './payout-marks.tsx';
import type { ShownLine, ShownPayment, ShownPayout } from './payouts-answer.ts';

const linesId = 'lines';
const nameMax = 40;

interface LinesProps {
  readonly payout: ShownPayout;
  readonly choice: LineChoice;
  /** Of the choice before, until the answer has come. */
  readonly isLate: boolean;
}

/** Who gets how much, beside what the chain says became of it. */
export function PayoutLines({ payout, choice, isLate }: LinesProps) {
  const [, navigate] = useLocation();
  const { id, found, total, coin, asOf } = payout;
  const pageAt = (page: number): string => `${payoutLink(id)}${searchOf({ ...everyLine, page })}`;
  return (
    <section aria-labelledby={linesId} className="mt-12">
      <h2 id={linesId} className="title-3">
        Who gets how much
      </h2>
      <FindLine key={searchOf(choice)} id={id} choice={choice} />
      <div aria-busy={isLate}>
        {found.length === 0 ? (
          <NothingFound onClear={() => navigate(payoutLink(id))} clearText="Show every line">
            The plan has no such line: no rock of that number was minted at the snapshot, it is left out, or the address
            had none.
          </NothingFound>
        ) : (
          <>
            <output className="mt-4 mb-4 block text-quiet">{total === null ? '' : counted(total, 'line')}</output>
            <div className="payout-rows">
              <CardTable caption="Lines" columns={['Holder', 'Rocks', 'Amount', 'State', 'Transaction']}>
                {found.map((line) => (
                  <CardRow
                    key={line.address}
                    cells={{
                      Holder: <Holder address={line.address} name={line.name} />,
                      Rocks: <Rocks numbers={line.rocks} />,
                      Amount: <bdi className="tabular-nums wrap-anywhere">{amountText(line.raw, coin)}</bdi>,
                      State: <LineBadge state={line.state} asOf={asOf} />,
                      Transaction: <LinePayments line={line} coin={coin} />,
                    }}
                  />
                ))}
              </CardTable>
            </div>
            <PageLinks label="Pages of lines" headingId={linesId} {...payout} page={choice.page} to={pageAt} />
          </>
        )}
      </div>
    </section>
  );
}

function FindLine({ id, choice }: Pick<LinesProps, 'choice'> & { readonly id: number }) {
  const [, navigate] = useLocation();
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get(findName);
    const search = new URLSearchParams({ [findName]: typeof typed === 'string' ? typed.trim() : '' });
    // What is neither a rock nor an address stays as it was typed, with the sentence that says so.
    const meant = choiceIn(search.toString());
    navigate(`${payoutLink(id)}${meant.problem === null ? searchOf(meant) : `?${search}`}`);
  };
  return (
    <search>
      <form onSubmit={find} noValidate className="holder-field">
        <TextField
          label="Rock number or address"
          name={findName}
          defaultValue={choice.address ?? choice.rock ?? ''}
          error={choice.problem ?? undefined}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit">Find</Button>
        {searchOf({ ...choice, page: 1 }) !== '' && (
          <LinkButton look="ghost" to={payoutLink(id)}>
            Show every line
          </LinkButton>
        )}
      </form>
    </search>
  );
}

const Holder = ({ address, name }: { readonly address: string; readonly name: string | null }) => (
  <PageLink to={`/holders/${address}`} className="link inline-flex min-h-11 items-center" title={address}>
    {name === null ? shortAddress(address) : foreignText(name, nameMax)}
  </PageLink>
);

const shownRocks = 6;

/** Somebody may have hundreds: their whole list would fill the screen. */
function Rocks({ numbers }: { readonly numbers: readonly number[] }) {
  const text = (some: readonly number[]): string => some.map((number) => `#${number}`).join(', ');
  if (numbers.length <= shownRocks) return <span>{text(numbers)}</span>;
  return (
    <details className="payout-rocks">
      <summary>{counted(numbers.length, 'rock')}</summary>
      {text(numbers)}
    </details>
  );
}

function LinePayments({ line, coin }: { readonly line: ShownLine; readonly coin: ShownPayout['coin'] }) {
  if (line.payments.length === 0) return <span className="text-quiet">None yet</span>;
  const isAsPlanned = line.state === 'paid';
  return (
    <ul>
      {line.payments.map((payment) => (
        <li key={`${payment.digest} ${payment.address}`}>
          <Transaction payment={payment} />
          {!isAsPlanned && <SentInstead payment={payment} coin={coin} />}
        </li>
      ))}
    </ul>
  );
}

const Transaction = ({ payment: { digest, explorerUrl } }: { readonly payment: ShownPayment }) => (
  <ExternalLink href={explorerUrl} title={digest} className="link inline-flex min-h-11 items-center">
    {digest.slice(0, 8)}…
  </ExternalLink>
);

const SentInstead = ({ payment, coin }: { readonly payment: ShownPayment; readonly coin: ShownPayout['coin'] }) => (
  <span className="block wrap-anywhere">
    <bdi className="tabular-nums">{amountText(payment.raw, coin)}</bdi> to {shortAddress(payment.address)}
  </span>
);

interface PaymentsProps {
  readonly payments: readonly ShownPayment[];
  readonly coin: ShownPayout['coin'];
}

export const Payments = ({ payments, coin }: PaymentsProps) => (
  <div className="payout-rows">
    <CardTable caption="Payments that no line explains" columns={['Address', 'Amount', 'When', 'Transaction']}>
      {payments.map((payment) => (
        <CardRow
          key={`${payment.digest} ${payment.address}`}
          cells={{
            Address: <code className="break-all">{payment.address}</code>,
            Amount: <bdi className="tabular-nums wrap-anywhere">{amountText(payment.raw, coin)}</bdi>,
            When: payment.at === null ? 'Not known' : <Age asOf={payment.at} />,
            Transaction: <Transaction payment={payment} />,
          }}
        />
      ))}
    </CardTable>
  </div>
);
