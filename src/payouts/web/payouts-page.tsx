import { usePublicAnswer } from '../../ui/api/use-public-answer.ts';
import { Card } from '../../ui/card.tsx';
import { PageLink } from '../../ui/links.tsx';
import { EmptyState, LoadingLines } from '../../ui/placeholders.tsx';
import { Answered } from '../../ui/query-error.tsx';
import { ServerSnapshot } from '../../ui/server-written.tsx';
import { type Column, DataTable } from '../../ui/tables.tsx';
import { amountText, discretionary, notKnownYet } from '../core/payout-words.ts';
import { payoutLink } from './payout-addresses.ts';
import { AsOf, PayoutBadge, PayoutDay } from './payout-marks.tsx';
import { type CoinAmount, payoutsPageAnswer, payoutsPath, type ShownSummary } from './payouts-answer.ts';

/** Rulings R9: every payout to the holders of rocks, newest first. Before the first payout it says only that there is none. */
export function PayoutsPage() {
  const query = usePublicAnswer(payoutsPath, payoutsPageAnswer);
  return (
    <section className="wrap min-h-dvh py-12 sm:py-16">
      <h1 className="title-2">Payouts</h1>
      <div className="needs-script mt-8 min-h-dvh">
        <Answered query={query} failure="Failed to load the payouts" loading={<LoadingLines count={6} />}>
          {({ asOf, payouts, perRock, distributed }) =>
            payouts.length === 0 ? (
              <EmptyState>None yet</EmptyState>
            ) : (
              <>
                <GivenSoFar perRock={perRock} isAnyPaid={(distributed?.length ?? 0) > 0} asOf={asOf} />
                <NextOnes payouts={payouts} />
                <h2 className="title-3 mt-12 mb-4">All of them</h2>
                <AllPayouts payouts={payouts} />
              </>
            )
          }
        </Answered>
      </div>
      <ServerSnapshot of="payouts" />
    </section>
  );
}

function nothingYet(isAnyPaid: boolean, asOf: string | null): string {
  if (asOf === null) return notKnownYet;
  return isAnyPaid ? 'No payout has been paid in full yet' : 'Nothing yet';
}

interface GivenProps {
  readonly perRock: readonly CoinAmount[];
  readonly isAnyPaid: boolean;
  readonly asOf: string | null;
}

function GivenSoFar({ perRock, isAnyPaid, asOf }: GivenProps) {
  return (
    <Card as="section" aria-labelledby="given">
      <h2 id="given" className="title-3">
        What one rock has received so far
      </h2>
      {perRock.length === 0 && <p className="rock-price">{nothingYet(isAnyPaid, asOf)}</p>}
      {perRock.map(({ coin, raw }) => (
        <p key={coin.type} className="rock-price tabular-nums wrap-anywhere">
          <bdi>{amountText(raw, coin)}</bdi>
        </p>
      ))}
      <p className="text-quiet">The sum of all payouts that have been paid in full. {discretionary}</p>
      <AsOf asOf={asOf} />
    </Card>
  );
}

/** Payouts that are published and not paid yet. Nothing here promises a day. */
function NextOnes({ payouts }: { readonly payouts: readonly ShownSummary[] }) {
  const next = payouts
    .filter(({ state, withdrawn }) => withdrawn === null && (state === 'published' || state === 'paying'))
    .toReversed();
  return next.map((payout) => (
    <Card key={payout.id} as="section" tone="glow" aria-labelledby={`next-${payout.id}`} className="mt-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={`next-${payout.id}`} className="title-3 wrap-anywhere">
          <PageLink to={payoutLink(payout.id)} className="link inline-flex min-h-11 items-center">
            <bdi>{payout.title}</bdi>
          </PageLink>
        </h2>
        <PayoutBadge of={payout} />
      </div>
      <p className="rock-price tabular-nums wrap-anywhere">
        <bdi>{amountText(payout.shareRaw, payout.coin)}</bdi> <span className="figure-unit">for each rock</span>
      </p>
      <p className="text-quiet wrap-anywhere">{payout.reason}</p>
    </Card>
  ));
}

const AllPayouts = ({ payouts }: { readonly payouts: readonly ShownSummary[] }) => (
  <div className="payout-rows">
    <DataTable cards caption="Payouts" columns={columns} rows={payouts} keyOf={({ id }) => id} />
  </div>
);

const columns: readonly Column<ShownSummary>[] = [
  {
    name: 'Payout',
    cell: ({ id, title }) => (
      <PageLink to={payoutLink(id)} className="link inline-flex min-h-11 items-center wrap-anywhere">
        <bdi>{title}</bdi>
      </PageLink>
    ),
  },
  { name: 'State', cell: (payout) => <PayoutBadge of={payout} /> },
  { name: 'Each rock', cell: (payout) => <Amount of={payout} raw={payout.shareRaw} /> },
  { name: 'In all', cell: (payout) => <Amount of={payout} raw={payout.totalRaw} /> },
  { name: 'Published', cell: ({ publishedAt }) => <PayoutDay at={publishedAt} /> },
];

const Amount = ({ of, raw }: { readonly of: ShownSummary; readonly raw: string }) => (
  <bdi className="tabular-nums wrap-anywhere">{amountText(raw, of.coin)}</bdi>
);
