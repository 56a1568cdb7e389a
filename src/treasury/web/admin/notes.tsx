import { useState } from 'react';
import { AlertDialog, DialogButton, FormDialog } from '../../../ui/dialogs.tsx';
import { Line, ListPanel } from '../../../ui/panel.tsx';
import { EmptyState } from '../../../ui/placeholders.tsx';
import { SelectField, TextField, useFields } from '../../../ui/text-field.tsx';
import { wordsMax } from '../../core/ledger-words.ts';
import { MovementFacts, type ShownMovement } from '../ledger-facts.tsx';
import { kindNames, signedAmountText } from '../movement-words.ts';
import { useMovements, useNoteChange } from './treasury-calls.ts';

export function Notes() {
  const [kind, setKind] = useState('');
  return (
    <ListPanel
      id="treasury-notes"
      title="Movements"
      query={useMovements(kind)}
      intro="Say what a movement was for. Everyone can read it on the treasury page and in its CSV, as the team’s note."
      note={<SelectField label="Kind" value={kind} options={{ '': 'All kinds', ...kindNames }} onText={setKind} />}
      failure="Failed to load the movements"
      empty={
        <EmptyState>{kind === '' ? 'No movement is known yet.' : 'No movement of this kind is known.'}</EmptyState>
      }
      moreText="Older"
    >
      {(movement) => (
        <Line key={movement.digest} end={<Buttons of={movement} />}>
          <MovementFacts movement={movement} />
        </Line>
      )}
    </ListPanel>
  );
}

function Buttons({ of }: { readonly of: ShownMovement }) {
  const about = nameOf(of);
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton text={of.note === null ? 'Add note' : 'Edit note'} about={about}>
        {(close) => <NoteDialog movement={of} onClose={close} />}
      </DialogButton>
      {of.note !== null && (
        <DialogButton text="Delete note" look="danger" about={about}>
          {(close) => <DeleteDialog movement={of} onClose={close} />}
        </DialogButton>
      )}
    </div>
  );
}

/** 'Sent −5 SUI'. */
const nameOf = ({ kind, changes }: ShownMovement): string =>
  [kind === null ? 'Movement' : kindNames[kind], changes.map(signedAmountText).join(', ')].join(' ').trim();

interface DialogProps {
  readonly movement: ShownMovement;
  readonly onClose: () => void;
}

function NoteDialog({ movement, onClose }: DialogProps) {
  const { note } = movement;
  const { form, field, save } = useFields({ text: note?.text ?? '', link: note?.link ?? '' }, problemsOf);
  const { send, busy, problem, staleNote } = useNoteChange({
    seen: movement,
    success: { title: 'Note saved', description: 'It is shown with the movement on the treasury page.' },
    failure: 'Failed to save the note',
    onDone: onClose,
  });
  const text = form.text.trim();
  const link = form.link.trim();
  return (
    <FormDialog
      title="Note on a movement"
      description={<bdi className="font-semibold">{nameOf(movement)}</bdi>}
      saveText="Save note"
      onSave={() => save(() => send({ text, link: link === '' ? null : link }))}
      stale={staleNote({ Note: text, Link: link })}
      {...{ onClose, busy, problem }}
    >
      <div className="grid gap-4">
        <TextField
          {...field('text')}
          label="Note"
          maxLength={wordsMax.note}
          hint={`What it was for, in up to ${wordsMax.note} characters. Everyone can read it.`}
        />
        <TextField
          {...field('link')}
          label="Link (optional)"
          type="url"
          maxLength={wordsMax.link}
          placeholder="https://…"
          hint="A page that says more about it."
          spellCheck={false}
        />
      </div>
    </FormDialog>
  );
}

function problemsOf({ text, link }: Readonly<Record<'text' | 'link', string>>) {
  const isLink = link.trim() === '' || (/^https:\/\//i.test(link.trim()) && URL.canParse(link.trim()));
  return {
    ...(text.trim() === '' && { text: 'Write the note.' }),
    ...(!isLink && { link: 'A link begins with https://.' }),
  };
}

function DeleteDialog({ movement, onClose }: DialogProps) {
  const change = useNoteChange({
    seen: movement,
    success: { title: 'Note deleted', description: 'The movement no longer has a note.' },
    failure: 'Failed to delete the note',
    onDone: onClose,
  });
  return (
    <AlertDialog onClose={onClose} title="Delete note" confirmText="Delete" change={change}>
      <p>
        The note on <bdi className="font-semibold">{nameOf(movement)}</bdi> disappears from the treasury page and its
        CSV. The movement stays.
      </p>
    </AlertDialog>
  );
}
