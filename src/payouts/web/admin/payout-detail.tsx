import { Age } from '../../../ui/age.tsx';
import { pollEveryMs } from '../../../ui/api/use-answer.ts';
import { usePublicAnswer } from '../../../ui/api/use-public-answer.ts';
import { Button, buttonClass, Spinner } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { PageLink } from '../../../ui/links.tsx';
import { DetailPanel, Part } from '../../../ui/panel.tsx';
import { LoadingLines, Problem } from '../../../ui/placeholders.tsx';
import { Answered, QueryError } from '../../../ui/query-error.tsx';
import { SectionBoundary } from '../../../ui/section-boundary.tsx';
import { isNothingPaid, type ShownCoin } from '../../core/payout-words.ts';
import { allLines, linesCall, payoutLink } from '../payout-addresses.ts';
import { PayoutBadge } from '../payout-marks.tsx';
import { payoutOnChain } from '../payouts-answer.ts';
import { AnnouncePayout } from './announce-payout.tsx';
import { OutcomeFacts, PlanFacts, Received } from './outcome-facts.tsx';
import { Pay } from './pay.tsx';
import { DeleteDialog, PublishDialog, usePayoutStep, WithdrawDialog } from './payout-dialogs.tsx';
import { amountInWords, leftOutInWords, titleOf, coinOf } from './payout-words.ts';
import { draftPlanFile, isReading, type Payout, type TreasuryCoin, usePlan, type usePayouts } from './payouts-calls.ts';

interface PayoutDetailProps {
  readonly payout: Payout;
  readonly coins: readonly TreasuryCoin[] | null;
  readonly query: ReturnType<typeof usePayouts>;
  readonly onBack: () => void;
  readonly onChange: () => void;
}

/** One payout: its terms, its plan and the next step. */
export function PayoutDetail({ payout, coins, query, onBack, onChange }: PayoutDetailProps) {
  const { state } = payout;
  const coin = coinOf(payout, coins);
  return (
    <div className="grid gap-6">
      <DetailPanel
        id="payout"
        title={titleOf(payout)}
        subtitle={
          <>
            Payout {payout.id} <PayoutBadge of={payout} />
          </>
        }
        busy={query.isFetching}
        backText="All payouts"
        onBack={onBack}
        end={<DetailButtons {...{ payout, coins, onChange, onBack, query }} />}
      >
        <QueryError text="Failed to load the payouts" query={query} />
        <Terms payout={payout} coins={coins} />
        {state === 'draft' && <Owners payout={payout} coins={coins} />}
        <Plan payout={payout} coins={coins} />
      </DetailPanel>
      {state !== null && state !== 'draft' && (
        <>
          <SectionBoundary name="The way to pay">
            <Pay payout={payout} coin={coin} />
          </SectionBoundary>
          <SectionBoundary name="The announcement">
            <AnnouncePayout payout={payout} />
          </SectionBoundary>
        </>
      )}
    </div>
  );
}

/** The snapshot of a draft: requested, under way, failed with a sentence, or taken. */
function Owners({ payout, coins }: Pick<PayoutDetailProps, 'payout' | 'coins'>) {
  const { send, busy, staleNote } = usePayoutStep<void>('snapshot', {
    seen: payout,
    coins,
    success: { title: 'Reading the owners', description: 'It takes up to a minute; this page shows when it is done.' },
    failure: 'Failed to start reading the owners',
    onDone: () => {},
  });
  const askedAt = payout.snapshot?.askedAt ?? null;
  const problem = payout.snapshot?.problem ?? null;
  const underWay = isReading(payout);
  return (
    <Part id="payout-owners" title="Owners">
      <p className="my-2 max-w-prose text-quiet">
        The owner of every rock is read twice. The plan names the checkpoint between the two readings, provided nothing
        changed hands.
      </p>
      <div aria-live="polite">
        {underWay && askedAt !== null && (
          <p className="my-3 flex items-center gap-3 font-semibold">
            <Spinner className="size-5 shrink-0" />
            <span>
              Reading the owners, begun <Age asOf={askedAt} />. If the chain does not answer, it is tried again.
            </span>
          </p>
        )}
        {!underWay && <Problem className="my-3 border-l-4 border-danger py-1 pl-4">{problem}</Problem>}
      </div>
      {staleNote()}
      <Button
        size={payout.plan ? 'small' : 'medium'}
        look={payout.plan ? 'stone' : 'torch'}
        busy={busy || underWay}
        onClick={() => send()}
      >
        {payout.plan ? 'Read the owners again' : 'Read the owners'}
      </Button>
    </Part>
  );
}

function Plan({ payout, coins }: Pick<PayoutDetailProps, 'payout' | 'coins'>) {
  const { state, plan } = payout;
  const coin = coinOf(payout, coins);
  if (!plan) return null;
  return (
    <Part id="payout-plan" title={state === 'draft' ? 'What would be published' : 'The plan'}>
      <PlanFacts plan={plan} />
      {plan.outcome === null ? (
        <p>The result is not known.</p>
      ) : (
        <OutcomeFacts isAhead={state === 'draft' || state === 'published'} outcome={plan.outcome} coin={coin} />
      )}
      {state === 'draft' && <DraftLines id={payout.id} sha256={plan.sha256} coin={coin} />}
      {state === 'draft' && (
        <DialogButton text="Publish" look="torch" size="medium" className="mt-5" disabled={isReading(payout)}>
          {(onClose) => <PublishDialog {...{ payout, coins, onClose }} />}
        </DialogButton>
      )}
    </Part>
  );
}

interface DraftLinesProps {
  readonly id: number;
  readonly sha256: string | null;
  readonly coin: ShownCoin;
}

/** Shown before publishing. The largest holders come first: they may be exchanges or escrows. */
function DraftLines({ id, sha256, coin }: DraftLinesProps) {
  const { treasuryAddress } = useSiteConfig();
  const query = usePlan(draftPlanFile(id), id, sha256, treasuryAddress);
  return (
    <>
      <Answered query={query} failure="Failed to load the plan" loading={<LoadingLines />}>
        {({ plan: { lines }, problem }) => (
          <>
            <Problem className="my-3 border-l-4 border-danger py-1 pl-4">{problem}</Problem>
            <Received received={lines.toSorted((one, other) => other.rocks.length - one.rocks.length)} coin={coin} />
          </>
        )}
      </Answered>
      <a className={buttonClass('stone', 'small', 'mt-4')} href={draftPlanFile(id)} download>
        Plan (JSON)
      </a>
    </>
  );
}

function DetailButtons({ payout, coins, onChange, onBack, query }: PayoutDetailProps) {
  const { state, terms } = payout;
  // Terms that could not be read in full must not be edited: what is missing would be saved as empty.
  const isWhole = terms?.amount != null && terms.leftOut !== null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
        Refresh
      </Button>
      {state === 'draft' && (
        <>
          <Button size="small" disabled={!isWhole} onClick={onChange}>
            Change
          </Button>
          <DialogButton text="Delete" look="danger">
            {(onClose) => <DeleteDialog {...{ payout, coins, onClose }} onDone={onBack} />}
          </DialogButton>
        </>
      )}
      {state !== 'draft' && payout.withdrawn === null && <Withdraw payout={payout} coins={coins} />}
    </div>
  );
}

/** While no line is paid as planned: a line that got another amount does not keep the payout from being planned anew. */
function Withdraw({ payout, coins }: Pick<PayoutDetailProps, 'payout' | 'coins'>) {
  const { data: seen } = usePublicAnswer(linesCall(payout.id, allLines), payoutOnChain, { everyMs: pollEveryMs });
  if (payout.state !== 'published' && !isNothingPaid(seen ?? null)) return null;
  return (
    <DialogButton text="Withdraw" look="danger">
      {(onClose) => <WithdrawDialog {...{ payout, coins, onClose }} />}
    </DialogButton>
  );
}

function Terms({ payout, coins }: Pick<PayoutDetailProps, 'payout' | 'coins'>) {
  const { id, terms, state, publishedAt, withdrawn, updated } = payout;
  return (
    <>
      {withdrawn !== null && (
        <p className="mb-4 border-l-4 border-danger py-1 pl-4">
          Withdrawn <Last {...withdrawn} />: <bdi>{withdrawn.reason}</bdi>
        </p>
      )}
      <Facts
        className="grid"
        of={{
          Reason: <bdi>{terms?.reason ?? 'Not known'}</bdi>,
          Amount: <span className="tabular-nums">{amountInWords(terms?.amount ?? null, coinOf(payout, coins))}</span>,
          'Left out':
            (terms?.leftOut ?? []).length > 0 &&
            terms?.leftOut?.map((row) => (
              <bdi key={leftOutInWords(row)} className="block">
                {leftOutInWords(row)}
              </bdi>
            )),
          Published: publishedAt !== null && (
            <>
              <Age asOf={publishedAt} />,{' '}
              <PageLink to={payoutLink(id)} className="link">
                as everybody sees it
              </PageLink>
            </>
          ),
          Changed: state === 'draft' && updated !== null && <Last {...updated} />,
        }}
      />
    </>
  );
}

/** When something was done, and by whom. */
const Last = ({ at, by }: { readonly at: string | null; readonly by: string | null }) => (
  <>
    <Age asOf={at} none="not known when" /> {by !== null && <>by {by}</>}
  </>
);
