import { useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { canonicalWallet, shortAddress } from '../../../shared/sui-address.ts';
import { Age } from '../../../ui/age.tsx';
import { AlertDialog, DialogButton, FormDialog } from '../../../ui/dialogs.tsx';
import { Line, ListPanel } from '../../../ui/panel.tsx';
import { EmptyState } from '../../../ui/placeholders.tsx';
import { SelectField, TextField, useFields } from '../../../ui/text-field.tsx';
import { declaredRoles, wordsMax } from '../../core/ledger-words.ts';
import { roleNames } from '../movement-words.ts';
import { type NameOfAddress, useNameChange, useNames } from './treasury-calls.ts';

const shownName = ({ declared }: NameOfAddress): string => foreignText(declared?.name ?? null, wordsMax.name);

/** Who addresses belong to, as the team declares it; shown as the other side of a movement. */
export function Names() {
  const query = useNames();
  const edit = (of: NameOfAddress | null) => (onClose: () => void) => (
    <NameDialog of={of} names={query.data ?? []} onClose={onClose} />
  );
  const buttons = (of: NameOfAddress) => {
    const about = `${shownName(of)}, ${shortAddress(of.address)}`;
    return (
      <div className="flex flex-wrap gap-2">
        <DialogButton text="Change" about={about}>
          {edit(of)}
        </DialogButton>
        <DialogButton text="Delete" look="danger" about={about}>
          {(close) => <DeleteDialog of={of} onClose={close} />}
        </DialogButton>
      </div>
    );
  };
  return (
    <ListPanel
      id="treasury-names"
      title="Names of addresses"
      query={query}
      end={<DialogButton text="Add a name">{edit(null)}</DialogButton>}
      intro="Who an address belongs to. Everyone sees it on the treasury page, marked as declared by the team."
      failure="Failed to load the names"
      empty={<EmptyState>No address has a name yet.</EmptyState>}
    >
      {(row) => (
        <Line key={row.address} end={buttons(row)}>
          <Name row={row} />
        </Line>
      )}
    </ListPanel>
  );
}

function Name({ row }: { readonly row: NameOfAddress }) {
  const { address, declared } = row;
  const { role = null, by = null, at = null } = declared ?? {};
  return (
    <>
      <p>
        <bdi className="font-semibold">{shownName(row)}</bdi>
        {role !== null && <span className="text-quiet">, {roleNames[role]}</span>}
      </p>
      <code className="block text-sm">{address}</code>
      <p className="text-sm text-quiet">
        {by !== null && <>By {by}</>} <Age asOf={at} />
      </p>
    </>
  );
}

interface NameDialogProps {
  /** null: a name for another address is added. */
  readonly of: NameOfAddress | null;
  readonly names: readonly NameOfAddress[];
  readonly onClose: () => void;
}

function NameDialog({ of, names, onClose }: NameDialogProps) {
  const [role, setRole] = useState<Role>(of?.declared?.role ?? 'exchange');
  const { form, field, save } = useFields({ address: of?.address ?? '', name: of?.declared?.name ?? '' }, (typed) =>
    problemsOf(typed, of === null && stale === null ? names : []),
  );
  const name = form.name.trim();
  const { send, busy, problem, stale, staleNote } = useNameChange({
    seen: of ?? { address: canonicalWallet(form.address) ?? '', declared: null },
    success: { title: 'Name saved', description: 'It is shown with the movements of this address.' },
    failure: 'Failed to save the name',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={of === null ? 'Add a name' : 'Change a name'}
      description="Who an address belongs to, as the team declares it. Everyone can read it."
      saveText="Save name"
      onSave={() => save(() => send({ name, role }))}
      stale={staleNote({ Name: name, Role: roleNames[role] })}
      {...{ onClose, busy, problem }}
    >
      <div className="grid gap-4">
        <TextField
          {...field('address')}
          label="Address"
          placeholder="0x…"
          // The version saved in the meantime is for this address.
          readOnly={of !== null || stale !== null}
          spellCheck={false}
        />
        <TextField {...field('name')} label="Name" maxLength={wordsMax.name} />
        <SelectField
          label="What it is"
          value={role}
          options={roleNames}
          onText={(text) => setRole(declaredRoles.find((each) => each === text) ?? role)}
        />
      </div>
    </FormDialog>
  );
}

/** `taken`: the addresses that already have a name. */
function problemsOf({ address, name }: Readonly<Record<'address' | 'name', string>>, taken: readonly NameOfAddress[]) {
  const canonical = canonicalWallet(address);
  return {
    ...(canonical === null && { address: 'A Sui address is 0x followed by 64 characters, each 0–9 or a–f.' }),
    ...(taken.some((each) => each.address === canonical) && {
      address: 'This address already has a name. Change that one.',
    }),
    ...(name.trim() === '' && { name: 'Enter a name.' }),
  };
}

type Role = (typeof declaredRoles)[number];

function DeleteDialog({ of, onClose }: { readonly of: NameOfAddress; readonly onClose: () => void }) {
  const change = useNameChange({
    seen: of,
    success: { title: 'Name deleted', description: 'The address no longer has a declared name.' },
    failure: 'Failed to delete the name',
    onDone: onClose,
  });
  return (
    <AlertDialog onClose={onClose} title="Delete name" confirmText="Delete" change={change}>
      <p>
        <bdi className="font-semibold">{shownName(of)}</bdi> is no longer shown as the name of{' '}
        <code>{shortAddress(of.address)}</code>.
      </p>
    </AlertDialog>
  );
}
