import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readAnswer } from '../../../ui/api/answer-schema.ts';
import { watchEveryMs } from '../../../ui/api/use-answer.ts';
import { Spinner } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { counted } from '../../../ui/decimal-text.ts';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { useSettled } from '../../../ui/text-field.tsx';
import type { DraftTerms } from '../../payouts-contract.ts';
import { amountText, type ShownCoin } from './amount-text.ts';
import { OutcomeFacts } from './outcome-facts.tsx';
import { payoutsPath, type Preview, preview } from './payouts-calls.ts';

/** What these terms come to, asked for after a pause in typing. null: there is nothing to ask yet. */
export function usePreview(terms: DraftTerms | null) {
  const wanted = terms === null ? '' : JSON.stringify(terms);
  const asked = useSettled(wanted);
  const path = `${payoutsPath}/preview`;
  const query = useQuery({
    queryKey: [path, asked],
    queryFn: ({ signal }) => readAnswer({ method: 'POST', path, body: JSON.parse(asked), signal }, preview),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    // Owners and balances change: what is looked at again is asked for again.
    staleTime: 0,
    // What is missing is no fault of the terms: owners or balances are still being read.
    refetchInterval: ({ state: { data } }) => (data?.outcome === null && data.about === null ? watchEveryMs : false),
    networkMode: 'always',
  });
  const isCurrent = asked === wanted && !query.isPlaceholderData;
  return {
    query,
    isCurrent,
    /** Of exactly these terms, and not of those before. */
    answer: isCurrent && wanted !== '' ? (query.data ?? null) : null,
  };
}

interface DraftPreviewProps {
  readonly preview: ReturnType<typeof usePreview>;
  readonly hasTerms: boolean;
  readonly coin: ShownCoin;
}

/** With the owners that are known now; the plan itself is made of a reading of its own. */
export const DraftPreview = ({ preview: { query, isCurrent }, hasTerms, coin }: DraftPreviewProps) => (
  <Card as="section" tone="raised" className="self-start" aria-labelledby="payout-preview" aria-busy={!isCurrent}>
    <h3 id="payout-preview" className="flex min-h-6 items-center gap-3 font-bold">
      Preview {hasTerms && (query.isFetching || !isCurrent) && <Spinner />}
    </h3>
    {hasTerms ? (
      <>
        <QueryTrouble text="Failed to make the preview" query={query} />
        {query.data !== undefined && <Outcome of={query.data} coin={coin} />}
      </>
    ) : (
      <p className="mt-2 text-quiet">Choose a coin and an amount, and see here who would get what.</p>
    )}
  </Card>
);

function Outcome({ of: { outcome, message, about }, coin }: { readonly of: Preview; readonly coin: ShownCoin }) {
  if (outcome === null) {
    const sentence = about === null ? message : 'There is no such payout: see the sentence at the field.';
    return <output className="mt-2 block wrap-anywhere">{sentence ?? 'Not known.'}</output>;
  }
  const { rocks, holders, shareRaw } = outcome;
  return (
    <>
      <output className="mt-2 mb-4 block wrap-anywhere">
        {rocks !== null &&
          holders !== null &&
          `${counted(rocks, 'rock')} of ${counted(holders, 'holder')} would get ${amountText(shareRaw, coin)} each.`}
      </output>
      <OutcomeFacts isAhead outcome={outcome} coin={coin} className="grid" />
      <p className="mt-3 text-sm text-quiet">
        With the owners as last read. Before it is published, all owners are read anew, twice.
      </p>
    </>
  );
}
