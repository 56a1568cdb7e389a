import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { instantInWords } from '../../ui/age-in-words.ts';
import { usePublicAnswer } from '../../ui/api/use-public-answer.ts';
import { buttonClass, LinkButton } from '../../ui/button.tsx';
import { counted, wholeNumberText } from '../../ui/decimal-text.ts';
import { EmptyState, LoadingLines, MissingItemNote } from '../../ui/placeholders.tsx';
import { Answered } from '../../ui/query-error.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { StateMark } from './figure-note.tsx';
import { ledgerPage, LedgerSums, MovementFacts, type ShownLedger } from './ledger-facts.tsx';
import { everything, type LedgerFilters, movementFilters, searchOf } from './movement-filters.ts';
import { coinName, kindNames } from './movement-words.ts';
import { AfterTheLastPage, newestFirst, Pager } from '../../ui/tables.tsx';
import { CheckField, Form, SelectField } from '../../ui/text-field.tsx';

const listId = 'list-of-movements';
/** Rulings R8: every transaction of the treasury, and the sum of each coin beside its balance on chain. */
export function Movements() {
  const [path, navigate] = useLocation();
  const { filters, problems } = movementFilters(useSearch());
  const choose = (chosen: LedgerFilters): void => navigate(`${path}${searchOf(chosen)}`);
  const query = usePublicAnswer(`/api/treasury/ledger${searchOf(filters)}`, ledgerPage);
  // From the last call that worked, so that the filters can still be changed after one that failed.
  const [ledger, setLedger] = useState(query.data);
  if (query.data !== undefined && query.data !== ledger) setLedger(query.data);
  return (
    <section aria-labelledby="movements">
      <SectionHeading id="movements" title="Movements" level={3}>
        Every transaction of the wallet and its kiosks, read from the chain, newest first.
      </SectionHeading>
      <div className="needs-script mt-6">
        {ledger !== undefined && (
          <>
            <LedgerState ledger={ledger} />
            <LedgerSums {...ledger} />
            <MovementFilters ledger={ledger} filters={filters} choose={choose} />
            {problems.map((problem) => (
              <MissingItemNote key={problem}>{problem}</MissingItemNote>
            ))}
          </>
        )}
        <Answered query={query} failure="Failed to load the movements" loading={<LoadingLines count={5} />}>
          {(shown) => (
            <>
              <MovementPage ledger={shown} filters={filters} choose={choose} isLate={query.isPlaceholderData} />
              <Pager
                label="Pages of movements"
                startId={listId}
                {...shown}
                words={newestFirst}
                onPage={(page) => choose({ ...filters, page })}
              />
            </>
          )}
        </Answered>
      </div>
      <p className="mt-4 flex flex-wrap gap-3">
        {/* Until the past has been read there is no such file, and a browser may save the refusal in its place. */}
        {(ledger?.progressText ?? null) === null && (
          <a className={buttonClass('stone')} href="/api/treasury/ledger.csv" download>
            Download all movements (CSV)
          </a>
        )}
        <LinkButton to="/statements">Monthly statements</LinkButton>
        <LinkButton to="/payouts">Payouts</LinkButton>
        <a className={buttonClass('ghost')} href="/feed.atom">
          Feed
        </a>
      </p>
    </section>
  );
}

function LedgerState({ ledger }: { readonly ledger: ShownLedger }) {
  const { state, asOf, progressText, knownUntil, knownSince, coins } = ledger;
  return (
    <div className="mb-4 space-y-2">
      <StateMark state={state} asOf={asOf} />
      {progressText !== null && (
        <p className="text-quiet">
          {progressText}.{coins.length > 0 && ' The sums go up to that point.'}
        </p>
      )}
      {knownSince !== null && (
        <p className="text-quiet">
          Movements {knownUntil === null ? 'before' : `between ${instantInWords(knownUntil)} and`}{' '}
          {instantInWords(knownSince)} are not known: no node has all of them.
        </p>
      )}
    </div>
  );
}

interface FilterProps {
  readonly ledger: ShownLedger;
  readonly filters: LedgerFilters;
  readonly choose: (filters: LedgerFilters) => void;
}

function MovementFilters({ ledger: { coins, apart }, filters, choose }: FilterProps) {
  const change = (changed: Partial<LedgerFilters>): void => choose({ ...filters, page: 1, ...changed });
  const names = Object.fromEntries(coins.map((coin) => [coin.coinType, coinName(coin)]));
  const { coin: coinType } = filters;
  // The address may name a coin without a sum.
  const asked = coinType !== '' && { [coinType]: names[coinType] ?? coinName({ coinType, symbol: null }) };
  return (
    <Form className="rock-filters" aria-label="Which movements" onSend={() => {}}>
      <SelectField
        label="Kind"
        value={filters.kind}
        options={{ '': 'All kinds', ...kindNames }}
        onText={(kind) => change({ kind })}
      />
      <SelectField
        label="Coin"
        value={coinType}
        options={{ '': 'All coins', ...names, ...asked }}
        onText={(coin) => change({ coin })}
      />
      {apart !== null && apart > 0 && (
        <CheckField
          label={`Unsolicited transfers only (${wholeNumberText(apart)}, not counted)`}
          checked={filters.isUnsolicited}
          onCheck={(isUnsolicited) => change({ ...everything, isUnsolicited })}
        />
      )}
    </Form>
  );
}

/** Only a complete ledger can say that nothing moved. */
function noneText({ kind, coin, isUnsolicited }: LedgerFilters, { complete }: ShownLedger): string {
  if (kind !== '' || coin !== '' || isUnsolicited) return 'No movements match these filters.';
  return complete === true ? 'Nothing has moved yet.' : 'No movement has been read yet.';
}

interface MovementPageProps extends FilterProps {
  /** `ledger` still belongs to the previous filters. */
  readonly isLate: boolean;
}

function MovementPage({ ledger, filters, choose, isLate }: MovementPageProps) {
  const { entries, total, pageSize } = ledger;
  if (entries.length === 0 && filters.page > 1 && total !== null && total > 0) {
    return <AfterTheLastPage total={total} pageSize={pageSize} go={(page) => choose({ ...filters, page })} />;
  }
  if (entries.length === 0) return <EmptyState>{noneText(filters, ledger)}</EmptyState>;
  return (
    <div aria-busy={isLate}>
      <output id={listId} className="mt-4 mb-2 block text-quiet">
        {total === null ? 'The number of movements is not known.' : counted(total, 'movement')}
      </output>
      <ol className="rock-history below-fold">
        {entries.map((movement) => (
          <li key={movement.digest} className="rock-event">
            <MovementFacts movement={movement} />
          </li>
        ))}
      </ol>
    </div>
  );
}
