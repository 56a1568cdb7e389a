import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { watchEveryMs } from '../../../ui/api/use-answer.ts';
import { dataIn, readAnswer } from '../../../ui/api/answer-schema.ts';
import { Button, Spinner } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { counted } from '../../../ui/decimal-text.ts';
import { mayLeaveForm } from '../../../ui/links.tsx';
import { DetailPanel } from '../../../ui/panel.tsx';
import { Problem } from '../../../ui/placeholders.tsx';
import { QueryError } from '../../../ui/query-error.tsx';
import { KeptForm, useSettled } from '../../../ui/text-field.tsx';
import type { DraftTerms } from '../../core/draft-terms.ts';
import { amountText, type ShownCoin } from '../../core/payout-words.ts';
import { titleOf, coinOfType } from './payout-words.ts';
import { usePayoutChange } from './payout-dialogs.tsx';
import { DraftFields } from './draft-fields.tsx';
import { type DraftValues, prefilled, previewTerms, readDraft, typedFields } from './draft-values.ts';
import { OutcomeFacts } from './outcome-facts.tsx';
import {
  changedPayout,
  type Payout,
  payoutPath,
  payoutsPath,
  type Preview,
  preview,
  type TreasuryCoin,
} from './payouts-calls.ts';

interface DraftFormProps {
  /** null: a new one. */
  readonly payout: Payout | null;
  readonly coins: readonly TreasuryCoin[];
  readonly onSaved: (id: number | null) => void;
  readonly onBack: () => void;
}

/** The form of a draft, with a preview while it is typed. */
export function DraftForm({ payout, coins, onSaved, onBack }: DraftFormProps) {
  const { seen, form, isTyped, preview, problems, unowned, change, onType, save } = useDraft(payout, coins, onSaved);
  const { busy, stale, staleNote, problem } = change;
  const over = seen === null ? null : whyOver(payout);
  return (
    <DetailPanel
      id="payout-draft"
      title={seen === null ? 'New payout' : <>Change &lsquo;{titleOf(seen)}&rsquo;</>}
      subtitle="Only the team sees a draft. No coin moves until the team signs a transaction."
      busy={busy}
      backText={seen === null ? 'All payouts' : 'Back to the payout'}
      onBack={() => mayLeaveForm() && onBack()}
      end={undefined}
    >
      {/* Removing a row fills in no field. */}
      <KeptForm onSend={save} data-typed={isTyped ? '' : undefined}>
        <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
          <DraftFields {...{ form, coins, problems, unowned, onType }} />
          <DraftPreview preview={preview} coin={coinOfType(form.coinType, coins)} />
        </div>
        {staleNote(typedFields(form, coins))}
        <Problem className="field-error mt-4">{over ?? problem}</Problem>
        <div className="mt-6 flex flex-wrap gap-3">
          <Button type="submit" look="torch" busy={busy} disabled={over !== null}>
            {stale === null ? 'Save draft' : 'Save mine'}
          </Button>
          <Button disabled={busy} onClick={onBack}>
            Cancel
          </Button>
        </div>
      </KeptForm>
    </DetailPanel>
  );
}

/** Why a draft that was opened here can no longer be saved; null: it can. */
function whyOver(now: Payout | null): string | null {
  if (now === null) return 'Another admin has deleted this draft. Copy what you still need.';
  if (now.state === null || now.state === 'draft') return null;
  return 'Another admin has published this payout, so it can no longer be changed. Copy what you still need.';
}

/** What is typed, its preview, and saving it. */
function useDraft(payout: Payout | null, coins: readonly TreasuryCoin[], onSaved: DraftFormProps['onSaved']) {
  // As it was when the form was opened: reading the list again does not change what is being typed.
  const [seen] = useState(payout);
  const [typed, setTyped] = useState<Partial<DraftValues>>({});
  const [showsProblems, setShowsProblems] = useState(false);
  const { send, forgetProblem, ...change } = usePayoutChange<DraftTerms>({
    seen,
    coins,
    what: 'draft',
    call: (body) =>
      seen === null ? { method: 'POST', path: payoutsPath, body } : { method: 'PUT', path: payoutPath(seen.id), body },
    success: { title: 'Draft saved', description: 'Nothing is public yet. Read the owners next.' },
    failure: 'Failed to save the draft',
    onDone: (answer) => onSaved(dataIn(answer, changedPayout)?.id ?? seen?.id ?? null),
  });
  // Fields not typed in follow the newest version, so that a save does not undo someone else's changes unseen.
  const form = { ...prefilled(change.stale ?? seen, coins), ...typed };
  const { terms, problems } = readDraft(form, coins);
  const preview = usePreview(previewTerms(form, coins));
  // Someone who typed a decimal comma sees an empty preview and no mistake, so the field says what is wrong.
  const saysAmount = useSettled(form.amount) === form.amount && form.amount !== '';
  const { about = null, message = null, unowned } = preview.answer ?? {};
  return {
    seen,
    form,
    isTyped: Object.keys(typed).length > 0,
    preview,
    change,
    unowned: unowned ?? [],
    problems: {
      ...(saysAmount && { amount: problems.amount }),
      ...(showsProblems && problems),
      ...(about !== null && message !== null && { [about]: message }),
    },
    onType: (next: Partial<DraftValues>): void => {
      forgetProblem();
      setTyped({ ...typed, ...next });
    },
    save: (): void => {
      setShowsProblems(true);
      if (terms !== null && about === null) send(terms);
    },
  };
}

/** The preview of these terms, requested after a pause in typing. null: there is nothing to preview yet. */
function usePreview(terms: DraftTerms | null) {
  const typedTerms = terms === null ? '' : JSON.stringify(terms);
  const settledTerms = useSettled(typedTerms);
  const path = `${payoutsPath}/preview`;
  const query = useQuery({
    queryKey: [path, settledTerms],
    queryFn: ({ signal }) => readAnswer({ method: 'POST', path, body: JSON.parse(settledTerms), signal }, preview),
    enabled: settledTerms !== '',
    placeholderData: keepPreviousData,
    // Owners and balances change, so the same terms are requested again.
    staleTime: 0,
    // Owners or balances may not be read yet, and the reason for a refusal may change.
    refetchInterval: ({ state: { data } }) => (data?.outcome === null ? watchEveryMs : false),
  });
  const isCurrent = settledTerms === typedTerms && !query.isPlaceholderData && !query.isLoading;
  return {
    query,
    hasTerms: terms !== null,
    isCurrent,
    /** Only for exactly these terms, not for earlier ones. */
    answer: isCurrent && terms !== null ? (query.data ?? null) : null,
  };
}

interface DraftPreviewProps {
  readonly preview: ReturnType<typeof usePreview>;
  readonly coin: ShownCoin;
}

/** Uses the owners that are known now; the plan itself is made from its own reading. */
const DraftPreview = ({ preview: { query, hasTerms, isCurrent }, coin }: DraftPreviewProps) => (
  <Card as="section" tone="raised" className="self-start" aria-labelledby="payout-preview" aria-busy={!isCurrent}>
    <h3 id="payout-preview" className="flex min-h-6 items-center gap-3 font-bold">
      Preview {hasTerms && (query.isFetching || !isCurrent) && <Spinner />}
    </h3>
    {hasTerms ? (
      <>
        <QueryError text="Failed to make the preview" query={query} />
        {query.data !== undefined && <Outcome of={query.data} coin={coin} />}
      </>
    ) : (
      <p className="mt-2 text-quiet">Choose a coin and an amount to see who would get what.</p>
    )}
  </Card>
);

function Outcome({ of: { outcome, message, about }, coin }: { readonly of: Preview; readonly coin: ShownCoin }) {
  if (outcome === null) {
    const sentence = about === null ? message : 'Not possible: see the message at the field.';
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
        With the owners as last read. Before publishing, all owners are read again, twice.
      </p>
    </>
  );
}
