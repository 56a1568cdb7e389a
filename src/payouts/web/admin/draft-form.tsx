import { useState } from 'react';
import { StaleVersions } from '../../../ui/api/versioned-change.tsx';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { Button } from '../../../ui/button.tsx';
import { DetailPanel } from '../../../ui/panel.tsx';
import { DraftFields } from './draft-fields.tsx';
import { DraftPreview, usePreview } from './draft-preview.tsx';
import { type DraftForm as Form, prefilled, previewTerms, readDraft, typedFields } from './draft-values.ts';
import { shownFields, titleOf } from './payout-words.ts';
import { changedPayout, coinOf, type Payout, type TreasuryCoin, useDraftSave } from './payouts-calls.ts';

interface DraftFormProps {
  /** null: a new one. */
  readonly payout: Payout | null;
  readonly coins: readonly TreasuryCoin[];
  readonly onSaved: (id: number | null) => void;
  readonly onBack: () => void;
}

/** A payout as it is drafted, with what it would come to while it is typed. */
export function DraftForm({ payout, coins, onSaved, onBack }: DraftFormProps) {
  const { seen, form, asked, preview, problems, stale, problem, busy, type, save } = useDraft(payout, coins, onSaved);
  return (
    <DetailPanel
      id="payout-draft"
      title={seen === null ? 'New payout' : <>Change &lsquo;{titleOf(seen)}&rsquo;</>}
      subtitle="A draft is seen by the team alone. No coin moves before the team signs a transaction."
      busy={busy}
      backText={seen === null ? 'All payouts' : 'Back to the payout'}
      onBack={onBack}
      end={undefined}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
          <DraftFields form={form} coins={coins} problems={problems} onType={type} />
          <DraftPreview preview={preview} hasTerms={asked !== null} coin={coinIn(form, seen, coins)} />
        </div>
        {stale !== null && (
          <StaleVersions
            what="draft"
            yours={typedFields(form, coins)}
            before={seen === null ? {} : shownFields(seen, coins)}
            now={shownFields(stale, coins)}
          />
        )}
        {problem !== undefined && (
          <p role="alert" className="field-error mt-4 wrap-anywhere">
            {problem}
          </p>
        )}
        <div className="mt-6 flex flex-wrap gap-3">
          <Button type="submit" look="torch" busy={busy}>
            {stale === null ? 'Save draft' : 'Save mine'}
          </Button>
          <Button disabled={busy} onClick={onBack}>
            Cancel
          </Button>
        </div>
      </form>
    </DetailPanel>
  );
}

/** What is typed, what it comes to, and saving it. */
function useDraft(payout: Payout | null, coins: readonly TreasuryCoin[], onSaved: DraftFormProps['onSaved']) {
  // As it was when the form was opened: reading the list again does not change what is being typed.
  const [seen] = useState(payout);
  const [typed, setTyped] = useState<Partial<Form>>({});
  const [showsProblems, setShowsProblems] = useState(false);
  const { send, forgetProblem, stale, ...change } = useDraftSave({
    seen,
    success: { title: 'Draft saved', description: 'Nothing is public yet. Read the owners next.' },
    failure: 'Failed to save the draft',
    onDone: (answer) => onSaved(dataIn(answer, changedPayout)?.id ?? seen?.id ?? null),
  });
  // Fields not typed in follow the newest version, so that a save does not undo someone else's changes unseen.
  const form = { ...prefilled(stale ?? seen, coins), ...typed };
  const { terms, problems } = readDraft(form, coins);
  const asked = previewTerms(form, coins);
  const preview = usePreview(asked);
  const { about = null, message = null } = preview.answer ?? {};
  return {
    ...change,
    seen,
    stale,
    form,
    asked,
    preview,
    problems: { ...(showsProblems && problems), ...(about !== null && message !== null && { [about]: message }) },
    type: (next: Partial<Form>): void => {
      forgetProblem();
      setTyped({ ...typed, ...next });
    },
    save: (): void => {
      setShowsProblems(true);
      if (terms !== null && about === null) send(terms);
    },
  };
}

const coinIn = ({ coinType }: Form, seen: Payout | null, coins: readonly TreasuryCoin[]) =>
  coins.find(({ type }) => type === coinType) ??
  (seen === null ? { type: coinType, symbol: null, decimals: null } : coinOf(seen, coins));
