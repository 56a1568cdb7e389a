import type { ReactNode } from 'react';
import { useAddressDetail } from '../../../ui/address-bar.tsx';
import { Age } from '../../../ui/age.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Line, ListPanel } from '../../../ui/panel.tsx';
import { EmptyState, MissingItemNote, LoadingLines } from '../../../ui/placeholders.tsx';
import { foreignText } from '../../../shared/foreign-text.ts';
import { DraftForm } from './draft-form.tsx';
import { PayoutDetail } from './payout-detail.tsx';
import { amountInWords, stateInWords, titleOf, coinOf } from './payout-words.ts';
import { type Payout, type TreasuryCoin, usePayouts } from './payouts-calls.ts';

/** In the address: the payout that is shown, or the draft that is edited (`?draft=new`: a new one). */
const views = ['payout', 'draft'] as const;
const newDraft = 'new';

/** Rulings R9: payouts to the holders of rocks, from the draft to what the chain says of each line. */
export function PayoutsTab() {
  const query = usePayouts();
  const address = useAddressDetail(views);
  const { open, opener } = address;
  if (open !== null && query.isLoading) return <LoadingLines count={6} />;
  return (
    oneView(query, address) ?? (
      <PayoutList
        query={query}
        note={query.data !== undefined && !query.isFetching && open !== null && noteOf(open.id, query.data.coins)}
        opener={opener}
      />
    )
  );
}

type Address = ReturnType<typeof useAddressDetail<(typeof views)[number]>>;

/** The draft or the payout of the address; null: there is none to show. */
function oneView(
  query: ReturnType<typeof usePayouts>,
  { open, show, close }: Pick<Address, 'open' | 'show' | 'close'>,
) {
  const { payouts = [], coins = null } = query.data ?? {};
  const shown = payouts.find(({ id }) => String(id) === open?.id) ?? null;
  const showOne = (id: number | null): void => (id === null ? close() : show({ name: 'payout', id: String(id) }));
  if (open?.name === 'draft' && coins !== null && (open.id === newDraft || shown?.state === 'draft')) {
    const back = (): void => showOne(shown?.id ?? null);
    return <DraftForm key={open.id} payout={shown} coins={coins} onSaved={showOne} onBack={back} />;
  }
  if (open?.name !== 'payout' || shown === null) return null;
  const change = (): void => show({ name: 'draft', id: String(shown.id) });
  return <PayoutDetail {...{ coins, query }} key={shown.id} payout={shown} onBack={close} onChange={change} />;
}

function noteOf(id: string, coins: readonly TreasuryCoin[] | null) {
  if (id === newDraft && coins === null)
    return (
      <MissingItemNote>
        The treasury has not been read, so its coins are unknown. Try again in a minute.
      </MissingItemNote>
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
  readonly opener: Address['opener'];
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
      intro="The treasury pays the holders of rocks: draft it, read the owners, publish the plan, sign the transaction. This site holds no key and pays nothing by itself."
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
  const { word, tone } = stateInWords(payout);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="font-semibold">{titleOf(payout)}</bdi>
        <Badge tone={tone}>{word}</Badge>
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
