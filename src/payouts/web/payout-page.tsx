import { useLocation, useSearch } from 'wouter';

import { checkpointLink } from '../../shared/explorer-links.ts';
import { usePublicAnswer } from '../../ui/api/use-public-answer.ts';
import { hasStatus } from '../../ui/api/api-client.ts';
import { buttonClass, Button, LinkButton } from '../../ui/button.tsx';
import { Facts } from '../../ui/card.tsx';
import { counted, wholeNumberText } from '../../ui/decimal-text.ts';
import { ExternalLink } from '../../ui/links.tsx';
import { EmptyState, LoadingLines } from '../../ui/placeholders.tsx';
import { Answered } from '../../ui/query-error.tsx';
import { ServerSnapshot, useFullTitle, useInBrowser, useIsHydrated, useSiteConfig } from '../../ui/server-written.tsx';
import { DataTable } from '../../ui/tables.tsx';
import { useCopy } from '../../ui/toast/toast-provider.tsx';
import {
  amountText,
  discretionary,
  noKnownOwner,
  paidAsPlanned,
  payoutInFull,
  rockList,
} from '../core/payout-words.ts';
import { CheckIt } from './check-it.tsx';
import { choiceIn, linesCall, linesFile, payoutIdIn, planFile } from './payout-addresses.ts';
import { PayoutLines, Payments } from './payout-lines.tsx';
import { AsOf, CoinType, Deviations, PayoutBadge, PayoutDay } from './payout-marks.tsx';
import { payoutPageAnswer, type ShownPayout } from './payouts-answer.ts';

/** Rulings R9: one payout, its plan and its state on chain. */
export function PayoutPage() {
  const [path] = useLocation();
  const search = useSearch();
  const digits = useInBrowser<string>(() => String(payoutIdIn(path) ?? ''), '');
  // The server renders the page without the search, which is applied once the browser has taken over.
  const isHydrated = useIsHydrated();
  const id = Number(digits);
  const choice = choiceIn(isHydrated ? search : '');
  const query = usePublicAnswer(digits === '' ? null : linesCall(id, choice), payoutPageAnswer);
  useFullTitle(query.data === undefined ? null : payoutInFull(query.data));
  const isMissing = query.data === undefined && hasStatus(query.error, 404);
  return (
    <section className="wrap min-h-dvh py-12 sm:py-16">
      <h1 className="title-2">{digits === '' ? 'A payout' : `Payout ${digits}`}</h1>
      {isMissing ? (
        <div className="mt-8">
          <EmptyState action={<LinkButton to="/payouts">All payouts</LinkButton>}>
            There is no payout {digits}.
          </EmptyState>
        </div>
      ) : (
        <div className="needs-script min-h-dvh">
          <Answered
            query={query}
            failure="Failed to load this payout"
            loading={<LoadingLines count={8} className="mt-2 space-y-3" />}
          >
            {(payout) => (
              <>
                <Promised payout={payout} />
                <CheckIt payout={payout} />
                <PayoutLines payout={payout} choice={choice} isLate={query.isPlaceholderData} />
                <Strays payout={payout} />
              </>
            )}
          </Answered>
        </div>
      )}
      <ServerSnapshot of="query-problem" />
      <ServerSnapshot of="payout" />
      <nav aria-label="Payouts" className="mt-12 flex flex-wrap gap-3">
        <LinkButton to="/payouts">All payouts</LinkButton>
        <LinkButton look="ghost" to="/rockfolio">
          The treasury
        </LinkButton>
      </nav>
    </section>
  );
}

function Promised({ payout }: { readonly payout: ShownPayout }) {
  const { title, reason, withdrawn, coin, shareRaw, rocks } = payout;
  return (
    <>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="title-3 wrap-anywhere">
          <bdi>{title}</bdi>
        </span>
        <PayoutBadge of={payout} />
      </p>
      <p className="mt-4 max-w-2xl text-lg wrap-anywhere">{reason}</p>
      {withdrawn !== null && (
        <p className="mt-4 border-l-4 border-stale py-1 pl-4 wrap-anywhere">
          Withdrawn on <PayoutDay at={withdrawn.at} />: {withdrawn.reason}
        </p>
      )}
      <Deviations payout={payout} />
      <p className="rock-price mt-6 tabular-nums wrap-anywhere">
        <bdi>{amountText(shareRaw, coin)}</bdi>{' '}
        <span className="figure-unit">for each of {rocks === null ? 'the rocks' : counted(rocks, 'rock')}</span>
      </p>
      <Progress payout={payout} />
      <AsOf asOf={payout.asOf} />
      <PlanFacts payout={payout} />
      <p className="mt-4 text-quiet">{discretionary}</p>
      <LeftOut payout={payout} />
    </>
  );
}

function Progress({ payout: { state, lines, holders, paidRaw, coin, asOf } }: { readonly payout: ShownPayout }) {
  if (asOf === null || state === 'withdrawn' || lines === null || holders === null || paidRaw === null) return null;
  const asPlanned = paidAsPlanned(lines);
  return (
    <>
      <progress className="payout-progress" aria-label="Lines that are paid" max={holders} value={asPlanned} />
      <p className="tabular-nums">
        <bdi>{amountText(paidRaw, coin)}</bdi> paid, {wholeNumberText(asPlanned)} of {counted(holders, 'holder')}.
      </p>
    </>
  );
}

function PlanFacts({ payout }: { readonly payout: ShownPayout }) {
  const { explorerUrl } = useSiteConfig();
  const { coin, totalRaw, remainderRaw, snapshot, publishedAt, sha256, id, rocks, holders } = payout;
  return (
    <>
      <Facts
        className="mt-6 grid max-w-4xl"
        of={{
          Coin: <CoinType type={coin.type} />,
          'In all': <bdi className="tabular-nums">{amountText(totalRaw, coin)}</bdi>,
          For: rocks !== null && holders !== null && `${counted(rocks, 'rock')} of ${counted(holders, 'holder')}`,
          'Stays in the treasury': remainderRaw !== null && remainderRaw !== '0' && (
            <>
              <bdi className="tabular-nums">{amountText(remainderRaw, coin)}</bdi>, as it cannot be shared equally
            </>
          ),
          Snapshot: snapshot !== null && (
            <>
              <ExternalLink
                className="link inline-flex min-h-11 items-center"
                href={checkpointLink(explorerUrl, snapshot.checkpoint)}
              >
                Checkpoint {snapshot.checkpoint}
              </ExternalLink>
              , <PayoutDay at={snapshot.at} />: the owners at that moment
            </>
          ),
          Published: <PayoutDay at={publishedAt} />,
          'SHA-256': sha256 !== null && <Hash id={id} sha256={sha256} />,
        }}
      />
      <p className="mt-4 flex flex-wrap gap-3">
        <a className={buttonClass('stone')} href={planFile(id)} download>
          Plan (JSON)
        </a>
        <a className={buttonClass('stone')} href={linesFile(id)} download>
          Lines (CSV)
        </a>
      </p>
    </>
  );
}

function Hash({ id, sha256 }: { readonly id: number; readonly sha256: string }) {
  const copy = useCopy(
    sha256,
    `SHA-256 of payout ${id} copied to clipboard`,
    'Select the digits and copy them by hand',
  );
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <code className="wrap-anywhere">{sha256}</code>
      <Button size="small" look="ghost" className="min-h-11" about="the SHA-256" onClick={() => void copy()}>
        Copy
      </Button>
    </span>
  );
}

function LeftOut({ payout: { leftOut } }: { readonly payout: ShownPayout }) {
  if (leftOut === null || leftOut.length === 0) return null;
  return (
    <>
      <h2 className="title-3 mt-12 mb-4">Left out</h2>
      <DataTable
        caption="Left out"
        rows={leftOut}
        keyOf={({ address, rocks }) => address ?? rockList(rocks)}
        columns={[
          { name: 'Why', cell: why },
          { name: 'Rocks', cell: ({ rocks }) => wholeNumberText(rocks.length), numeric: true },
          { name: 'Address', cell: addressOf },
        ]}
      />
    </>
  );
}

type LeftOutRow = NonNullable<ShownPayout['leftOut']>[number];

const why = ({ reason }: LeftOutRow) => <bdi className="wrap-anywhere">{reason}</bdi>;
const addressOf = ({ address, rocks }: LeftOutRow) =>
  address === null ? `${noKnownOwner}: ${rockList(rocks)}` : <code className="break-all">{address}</code>;

function Strays({ payout: { strays, coin } }: { readonly payout: ShownPayout }) {
  if (strays.length === 0) return null;
  return (
    <>
      <h2 className="title-3 mt-12">Not in the plan</h2>
      <p className="mt-3 mb-4 max-w-2xl text-quiet">
        Transactions of this payout also paid these addresses, to which the plan gives nothing.
      </p>
      <Payments payments={strays} coin={coin} />
    </>
  );
}
