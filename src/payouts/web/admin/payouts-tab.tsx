import { type ReactNode, useState } from 'react';
import { type AddressDetail, type Opener, useAddressDetail } from '../../../ui/address-bar.tsx';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { Line, ListPanel } from '../../../ui/panel.tsx';
import { EmptyState, MissingItemNote, LoadingLines } from '../../../ui/placeholders.tsx';
import { foreignText } from '../../../shared/foreign-text.ts';
import { PayoutBadge } from '../payout-marks.tsx';
import { DraftForm } from './draft-form.tsx';
import { PayoutDetail } from './payout-detail.tsx';
import { amountInWords, titleOf, coinOf } from './payout-words.ts';
import { type Payout, type TreasuryCoin, usePayouts } from './payouts-calls.ts';

/** In the address: the payout that is shown, or the draft that is edited (`?draft=new`: a new one). */
const views = ['payout', 'draft'] as const;
const newDraft = 'new';

/** Rulings R9: payouts to the holders of rocks, from the draft to what the chain says of each line. */
export function PayoutsTab() {
  const query = usePayouts();
  const { open, opener, show, close } = useAddressDetail(views);
  const { payouts, coins } = query.data ?? { payouts: [], coins: null };
  const payout = payouts.find(({ id }) => String(id) === open?.id) ?? null;
  const isForm = useIsForm(open, payout?.state === 'draft');
  if (open !== null && query.isLoading) return <LoadingLines count={6} />;
  const list = (note: ReactNode) => <PayoutList query={query} note={note} opener={opener} />;
  if (open === null) return list(null);
  if (isForm && coins !== null) {
    const showOne = (id: number | null): void => (id === null ? close() : show({ name: 'payout', id: String(id) }));
    const back = (): void => showOne(payout?.id ?? null);
    return <DraftForm key={open.id} payout={payout} coins={coins} onSaved={showOne} onBack={back} />;
  }
  if (open.name === 'payout' && payout !== null) {
    const change = (): void => show({ name: 'draft', id: String(payout.id) });
    return <PayoutDetail {...{ payout, coins, query }} key={payout.id} onBack={close} onChange={change} />;
  }
  const isMissing = query.data !== undefined && !query.isFetching;
  return list(isMissing && <Missing id={open.id} coins={coins} />);
}

/** Whether a draft's form is shown. It stays when another admin publishes or deletes the draft: what is typed must not vanish. */
function useIsForm(open: AddressDetail<(typeof views)[number]> | null, isDraft: boolean): boolean {
  const [shown, setShown] = useState<string | null>(null);
  const id = open?.name === 'draft' ? open.id : null;
  const next = isDraft || id === newDraft || id === shown ? id : null;
  if (next !== shown) setShown(next);
  return next !== null;
}

interface MissingProps {
  readonly id: string;
  readonly coins: readonly TreasuryCoin[] | null;
}

/** For an address that asks for a payout that is not in the list. */
function Missing({ id, coins }: MissingProps) {
  if (id === newDraft && coins === null)
    return (
      <MissingItemNote>The treasury has not been read yet. The form opens as soon as it has been.</MissingItemNote>
    );
  return (
    <MissingItemNote>
      There is no payout <bdi>{foreignText(id, 20)}</bdi> to show here: it was deleted or published, or the address is
      wrong.
    </MissingItemNote>
  );
}

interface PayoutListProps {
  readonly query: ReturnType<typeof usePayouts>;
  readonly note: ReactNode;
  readonly opener: Opener<(typeof views)[number]>;
}

function PayoutList({ query, note, opener }: PayoutListProps) {
  const coins = query.data?.coins ?? null;
  return (
    <ListPanel
      id="payouts"
      title="Payouts"
      query={{ ...query, data: query.data?.payouts }}
      end={
        <Button size="small" look="torch" {...opener({ name: 'draft', id: newDraft })}>
          New payout
        </Button>
      }
      intro="Pay the holders of rocks from the treasury: draft a payout, read the owners, publish the plan, sign the transaction. This site holds no key and pays nothing by itself."
      note={note}
      failure="Failed to load the payouts"
      empty={<EmptyState>There is no payout yet.</EmptyState>}
    >
      {(payout) => (
        <Line
          key={payout.id}
          end={
            <Button size="small" about={titleOf(payout)} {...opener({ name: 'payout', id: String(payout.id) })}>
              Open
            </Button>
          }
        >
          <Listed payout={payout} coins={coins} />
        </Line>
      )}
    </ListPanel>
  );
}

function Listed({ payout, coins }: { readonly payout: Payout; readonly coins: readonly TreasuryCoin[] | null }) {
  const { id, terms, publishedAt, updated } = payout;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="font-semibold">{titleOf(payout)}</bdi>
        <PayoutBadge of={payout} />
      </p>
      <p className="tabular-nums">{amountInWords(terms?.amount ?? null, coinOf(payout, coins))}</p>
      <p className="text-sm text-quiet">
        Payout {id}
        <Age asOf={publishedAt} before=" · published " />
        {publishedAt === null && (
          <Age asOf={updated?.at} before=" · changed " after={updated?.by != null && ` by ${updated.by}`} />
        )}
      </p>
    </>
  );
}
