import { foreignText } from '../../../shared/foreign-text.ts';
import { ViewTabs } from '../../../ui/address-bar.tsx';
import { Facts } from '../../../ui/card.tsx';
import { Panel, Line, ListPanel } from '../../../ui/panel.tsx';
import { LoadingLines, EmptyState } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { LedgerSums } from '../ledger-facts.tsx';
import { Names } from './names.tsx';
import { Notes } from './notes.tsx';
import { useTreasuryStatus, type AmountOfSlice, useAmountChange, useAmounts } from './treasury-calls.ts';
import { Age } from '../../../ui/age.tsx';
import { AlertDialog, DialogButton, FormDialog } from '../../../ui/dialogs.tsx';
import { TextField, useFields } from '../../../ui/text-field.tsx';
import { sliceNames } from '../../core/allocation.ts';
import { declaredUsdPattern } from '../../core/ledger-words.ts';
import { formatUsd } from '../number-format.ts';

/** Rulings R8: how far history has been read, whether it adds up, and what the team declares about it. */
export const TreasuryTab = () => (
  <ViewTabs
    label="Treasury"
    tabs={[
      { value: 'status', label: 'Status', subject: 'The state of the treasury', content: <Status /> },
      { value: 'movements', label: 'Movements', subject: 'The list of movements', content: <Notes /> },
      { value: 'names', label: 'Names', subject: 'The list of names', content: <Names /> },
      { value: 'amounts', label: 'Amounts', subject: 'The list of declared amounts', content: <Amounts /> },
    ]}
  />
);

function Status() {
  const query = useTreasuryStatus();
  const shown = (history: { readonly text: string | null } | null): string =>
    history?.text == null ? 'Not known' : foreignText(history.text, 80);
  return (
    <Panel id="treasury-status" title="Reading progress" query={query}>
      <Answered query={query} failure="Failed to load the state of the treasury" loading={<LoadingLines count={3} />}>
        {({ ledger, rocks, coins, proofCheckpoint }) => (
          <>
            <Facts
              className="mb-6 grid gap-x-10 lg:grid-cols-2"
              of={{ Movements: shown(ledger), Rocks: shown(rocks) }}
            />
            {coins !== null && <LedgerSums coins={coins} proofCheckpoint={proofCheckpoint} />}
          </>
        )}
      </Answered>
    </Panel>
  );
}

/** Amounts that the team declares for what the chain cannot show (rulings R3). */
const Amounts = () => (
  <ListPanel
    id="treasury-amounts"
    title="Declared amounts"
    query={useAmounts()}
    intro="Amounts that the chain cannot show. Everyone sees them on the treasury page as declared by the team, with the date and your name. They are in no total."
    failure="Failed to load the declared amounts"
    empty={<EmptyState>There is nothing to declare an amount for.</EmptyState>}
  >
    {(row) => (
      <Line key={row.slice} end={<AmountButtons of={row} />}>
        <Amount row={row} />
      </Line>
    )}
  </ListPanel>
);

function Amount({ row: { slice, declared } }: { readonly row: AmountOfSlice }) {
  return (
    <>
      <p className="font-semibold">{sliceNames[slice]}</p>
      {declared === null ? (
        <p className="text-sm text-quiet">Nothing is declared.</p>
      ) : (
        <p className="text-sm text-quiet">
          <span className="text-base tabular-nums">
            {declared.usd === null ? 'Amount not known' : formatUsd(Number(declared.usd))}
          </span>{' '}
          {declared.by !== null && <>By {foreignText(declared.by, 40)}</>} <Age asOf={declared.at} />
        </p>
      )}
    </>
  );
}

function AmountButtons({ of }: { readonly of: AmountOfSlice }) {
  const about = sliceNames[of.slice];
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton text={of.declared === null ? 'Declare' : 'Change'} about={about}>
        {(close) => <AmountDialog of={of} onClose={close} />}
      </DialogButton>
      {of.declared !== null && (
        <DialogButton text="Remove" look="danger" about={about}>
          {(close) => <RemoveAmountDialog of={of} onClose={close} />}
        </DialogButton>
      )}
    </div>
  );
}

interface AmountDialogProps {
  readonly of: AmountOfSlice;
  readonly onClose: () => void;
}

function AmountDialog({ of, onClose }: AmountDialogProps) {
  const { form, field, save } = useFields({ amount: of.declared?.usd ?? '' }, amountProblems);
  const { send, busy, problem, staleNote } = useAmountChange({
    seen: of,
    success: { title: 'Amount saved', description: 'It is shown on the treasury page as declared by the team.' },
    failure: 'Failed to save the amount',
    onDone: onClose,
  });
  const usd = form.amount.trim();
  return (
    <FormDialog
      title={`Declare an amount: ${sliceNames[of.slice]}`}
      description="Everyone can read it, with today’s date and your name."
      saveText="Save amount"
      onSave={() => save(() => send({ usd }))}
      stale={staleNote({ 'Amount in USD': usd })}
      {...{ onClose, busy, problem }}
    >
      <TextField {...field('amount')} label="Amount in USD" inputMode="decimal" maxLength={12} placeholder="12000.50" />
    </FormDialog>
  );
}

function amountProblems({ amount }: Readonly<Record<'amount', string>>) {
  const typed = amount.trim();
  if (typed === '') return { amount: 'Enter an amount.' };
  if (declaredUsdPattern.test(typed)) return {};
  return { amount: 'Use digits and one point, as in 12000.50, without commas or signs.' };
}

function RemoveAmountDialog({ of, onClose }: AmountDialogProps) {
  const change = useAmountChange({
    seen: of,
    success: { title: 'Amount removed', description: `Nothing is declared for ${sliceNames[of.slice]} any more.` },
    failure: 'Failed to remove the amount',
    onDone: onClose,
  });
  return (
    <AlertDialog onClose={onClose} title="Remove amount" confirmText="Remove" change={change}>
      <p>
        The amount declared for <span className="font-semibold">{sliceNames[of.slice]}</span> disappears from the
        treasury page and its downloads.
      </p>
    </AlertDialog>
  );
}
