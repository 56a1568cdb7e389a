import { useState } from 'react';
import { shortAddress } from '../../../shared/sui-address.ts';
import { Age } from '../../../ui/age.tsx';
import { Facts } from '../../../ui/card.tsx';
import { counted, wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import { Part } from '../../../ui/panel.tsx';
import { allRows, SearchedRows } from '../../../ui/searched-rows.tsx';
import type { Column } from '../../../ui/tables.tsx';
import { CoinType } from '../payout-marks.tsx';
import { amountText, rockList, type ShownCoin, someRocks } from '../../core/payout-words.ts';
import { comparedInWords, exactSuiText } from './payout-words.ts';
import type { Outcome, PaidLine, Payout } from './payouts-calls.ts';

/** The plan's hash, and when the owners were read: anyone who bought a rock since then gets nothing. */
export const PlanFacts = ({ plan: { sha256, checkpoint, at } }: { readonly plan: NonNullable<Payout['plan']> }) => (
  <Facts
    className="mt-3 grid"
    of={{
      'SHA-256': <code className="text-sm">{sha256 ?? 'Not known'}</code>,
      Owners: (
        <>
          As of checkpoint {checkpoint ?? '(not known)'}
          <Age asOf={at} before=", " />
        </>
      ),
    }}
  />
);

interface OutcomeFactsProps {
  readonly outcome: Outcome;
  readonly coin: ShownCoin;
  /** Not paid yet, so what the treasury will have afterwards is shown. */
  readonly isAhead: boolean;
  readonly className?: string;
}

/** The figures of a plan. */
export const OutcomeFacts = ({
  outcome,
  coin,
  isAhead,
  className = 'grid gap-x-10 lg:grid-cols-2',
}: OutcomeFactsProps) => (
  <Facts
    className={`${className} tabular-nums`}
    of={{
      Coin: coin.type !== undefined && <CoinType type={coin.type} />,
      'Each rock gets': amountText(outcome.shareRaw, coin),
      'Rocks paid': wholeNumberOrUnknown(outcome.rocks),
      'Holders paid': wholeNumberOrUnknown(outcome.holders),
      'Since the last': comparedInWords(outcome),
      'In all': amountText(outcome.totalRaw, coin),
      Remainder: `${amountText(outcome.remainderRaw, coin)}, stays in the treasury`,
      'Treasury after': isAhead && leftText(outcome.leftRaw, coin),
      Transactions: wholeNumberOrUnknown(outcome.transactions),
      'Gas, about': exactSuiText(outcome.gasMist),
      'Left out': <LeftOut of={outcome.leftOut} />,
    }}
  />
);

/** Below zero if the treasury has spent the coin since. */
const leftText = (raw: string | null, coin: ShownCoin): string =>
  raw?.startsWith('-') === true ? `${amountText(raw.slice(1), coin)} too little` : amountText(raw, coin);

function LeftOut({ of }: { readonly of: Outcome['leftOut'] }) {
  if (of === null) return 'Not known';
  if (of.length === 0) return 'Nobody';
  return (
    <ul>
      {of.map(({ address, reason, rocks }) => (
        <li key={address ?? rocks?.join()}>
          {address === null ? (
            rockList(rocks ?? [])
          ) : (
            <>
              <code title={address}>{shortAddress(address)}</code>
              {rocks !== null && `, ${counted(rocks.length, 'rock')}`}
            </>
          )}
          : <bdi>{reason}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Who receives what: searchable, a page at a time. */
export function Received({ received, coin }: { readonly received: readonly PaidLine[]; readonly coin: ShownCoin }) {
  const [filter, setFilter] = useState(allRows);
  return (
    <Part id="payout-received" title="Who receives what">
      <div className="mt-3">
        <SearchedRows
          all={received}
          filter={filter}
          onFilter={setFilter}
          caption="Who receives what"
          columns={columnsFor(coin)}
          keyOf={({ address }) => address}
          textOf={({ address, rocks }) => `${address} ${rocks.map((rock) => `#${rock}`).join(' ')}`}
          placeholder="address or #rock"
          nothingFound="No line matches the search."
          rowsPerPage={10}
          searchedFrom={10}
        />
      </div>
    </Part>
  );
}

const rocksMax = 8;

const columnsFor = (coin: ShownCoin): readonly Column<PaidLine>[] => [
  { name: 'Address', cell: shownAddress },
  { name: 'Rocks', cell: ({ rocks }) => someRocks(rocks, rocksMax) },
  { name: 'Amount', cell: ({ raw }) => <span className="tabular-nums">{amountText(raw, coin)}</span> },
];

const shownAddress = ({ address }: PaidLine) => (
  <code title={address} className="font-normal">
    {shortAddress(address)}
  </code>
);
