import { useState } from 'react';
import { useLocation } from 'wouter';
import { foreignText } from '../../shared/foreign-text.ts';
import { shortAddress } from '../../shared/sui-address.ts';
import { Age } from '../../ui/age.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { counted } from '../../ui/decimal-text.ts';
import { ExternalLink, PageLink } from '../../ui/links.tsx';
import { MissingItemNote, NothingFound } from '../../ui/placeholders.tsx';
import { AfterTheLastPage, type Column, DataTable, Pager } from '../../ui/tables.tsx';
import { Form, TextField } from '../../ui/text-field.tsx';
import { amountText, rockList } from '../core/payout-words.ts';
import { choiceIn, allLines, findName, type LineChoice, searchOf, payoutLink } from './payout-addresses.ts';
import { LineBadge } from './payout-marks.tsx';
import type { ShownLine, ShownPayment, ShownPayout } from './payouts-answer.ts';

const linesId = 'lines';
const nameMax = 40;

interface LinesProps {
  readonly payout: ShownPayout;
  readonly choice: LineChoice;
  /** The previous choice is shown until the answer has come. */
  readonly isLate: boolean;
}

/** Who gets how much, with the state of each line on chain. */
export const PayoutLines = ({ payout, choice, isLate }: LinesProps) => (
  <section aria-labelledby={linesId} className="mt-12">
    <h2 id={linesId} className="title-3">
      Who gets how much
    </h2>
    <FindLine id={payout.id} choice={choice} />
    {choice.pageProblem !== null && <MissingItemNote>{choice.pageProblem}</MissingItemNote>}
    <div aria-busy={isLate}>
      <FoundLines payout={payout} page={choice.page} />
    </div>
  </section>
);

function FoundLines({ payout, page }: Pick<LinesProps, 'payout'> & { readonly page: number }) {
  const [, navigate] = useLocation();
  const { id, found, total, pageSize } = payout;
  const addressOfPage = (to: number): string => `${payoutLink(id)}${searchOf({ ...allLines, page: to })}`;
  if (found.length > 0)
    return (
      <>
        <output className="mt-4 mb-4 block text-quiet">{total === null ? '' : counted(total, 'line')}</output>
        <div className="payout-rows">
          <DataTable cards caption="Lines" columns={columnsOf(payout)} rows={found} keyOf={({ address }) => address} />
        </div>
        <Pager label="Pages of lines" {...payout} page={page} startId={linesId} linkTo={addressOfPage} />
      </>
    );
  if (page > 1 && total !== null && total > 0)
    return <AfterTheLastPage total={total} pageSize={pageSize} go={(to) => navigate(addressOfPage(to))} />;
  return (
    <NothingFound onClear={() => navigate(payoutLink(id))} clearText="Show every line">
      The plan has no such line. That rock was not minted yet or is left out, or the address held no rock at the
      snapshot.
    </NothingFound>
  );
}

const columnsOf = (payout: ShownPayout): readonly Column<ShownLine>[] => [
  { name: 'Holder', cell: ({ address, name }) => <Holder address={address} name={name} /> },
  { name: 'Rocks', cell: ({ rocks }) => <Rocks numbers={rocks} /> },
  {
    name: 'Amount',
    cell: ({ raw }) => <bdi className="tabular-nums wrap-anywhere">{amountText(raw, payout.coin)}</bdi>,
  },
  { name: 'State', cell: ({ state }) => <LineBadge state={state} of={payout} /> },
  { name: 'Transaction', cell: (line) => <LinePayments line={line} coin={payout.coin} /> },
];

function FindLine({ id, choice }: Pick<LinesProps, 'choice'> & { readonly id: number }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState(choice.asked);
  const [asked, setAsked] = useState(choice.asked);
  // Going back in the browser leads to another search. The form stays: a new one would lose the focus.
  if (asked !== choice.asked) {
    setAsked(choice.asked);
    setText(choice.asked);
  }
  const find = ({ [findName]: typed = '' }: Readonly<Record<string, string>>): void => {
    const search = new URLSearchParams({ [findName]: typed.trim() });
    // Input that is neither a rock nor an address stays as typed, with the sentence that says so.
    const typedChoice = choiceIn(search.toString());
    navigate(`${payoutLink(id)}${typedChoice.problem === null ? searchOf(typedChoice) : `?${search}`}`);
  };
  return (
    <search>
      <Form onSend={find} className="holder-field">
        <TextField
          label="Rock number or address"
          name={findName}
          value={text}
          onText={setText}
          error={choice.problem ?? undefined}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit">Find</Button>
        {searchOf({ ...choice, page: 1 }) !== '' && (
          <LinkButton look="ghost" to={payoutLink(id)} startId={linesId}>
            Show every line
          </LinkButton>
        )}
      </Form>
    </search>
  );
}

const Holder = ({ address, name }: { readonly address: string; readonly name: string | null }) => (
  <PageLink to={`/holders/${address}`} className="link inline-flex min-h-11 items-center" title={address}>
    {name === null ? shortAddress(address) : foreignText(name, nameMax)}
  </PageLink>
);

const shownRocks = 6;

/** A holder may have hundreds: the whole list would fill the screen. */
function Rocks({ numbers }: { readonly numbers: readonly number[] }) {
  if (numbers.length <= shownRocks) return <span>{rockList(numbers)}</span>;
  return (
    <details>
      <summary className="min-h-11 cursor-pointer py-2.5">{counted(numbers.length, 'rock')}</summary>
      {rockList(numbers)}
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
    <DataTable
      cards
      caption="Payments that no line explains"
      rows={payments}
      keyOf={({ digest, address }) => `${digest} ${address}`}
      columns={paymentColumns(coin)}
    />
  </div>
);

const paymentColumns = (coin: ShownPayout['coin']): readonly Column<ShownPayment>[] => [
  { name: 'Address', cell: ({ address }) => <code className="break-all">{address}</code> },
  { name: 'Amount', cell: ({ raw }) => <bdi className="tabular-nums wrap-anywhere">{amountText(raw, coin)}</bdi> },
  { name: 'When', cell: ({ at }) => <Age asOf={at} none="Not known" /> },
  { name: 'Transaction', cell: (payment) => <Transaction payment={payment} /> },
];
