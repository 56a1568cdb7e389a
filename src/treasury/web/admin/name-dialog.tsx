import { useState } from 'react';
import { canonicalWallet } from '../../../shared/sui-address.ts';
import { StaleVersions } from '../../../ui/api/versioned-change.tsx';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { declaredRoles, wordsMax } from '../../core/ledger-words.ts';
import { roleNames } from '../movement-words.ts';
import { type NameOfAddress, useNameChange } from './treasury-calls.ts';

export const shownFields = ({ declared }: NameOfAddress) => ({
  Name: declared?.name ?? '',
  Role: declared?.role == null ? '' : roleNames[declared.role],
});

interface NameDialogProps {
  /** null: another address gets a name. */
  readonly of: NameOfAddress | null;
  /** Those that have one. */
  readonly names: readonly NameOfAddress[];
  readonly onClose: () => void;
}

export function NameDialog({ of, names, onClose }: NameDialogProps) {
  const [address, setAddress] = useState(of?.address ?? '');
  const [name, setName] = useState(of?.declared?.name ?? '');
  const [role, setRole] = useState<Role>(of?.declared?.role ?? 'exchange');
  const [wrong, setWrong] = useState<ReturnType<typeof problemsOf>>({});
  const canonical = canonicalWallet(address);
  const seen = of ?? { address: canonical ?? '', declared: null };
  const { send, busy, problem, stale } = useNameChange({
    seen,
    success: { title: 'Name saved', description: 'It is shown with the movements of this address.' },
    failure: 'Failed to save the name',
    onDone: onClose,
  });
  const save = (): void => {
    const isTaken = of === null && stale === null && names.some((each) => each.address === canonical);
    const found = problemsOf(canonical, isTaken, name);
    setWrong(found);
    if (Object.keys(found).length === 0) send({ name: name.trim(), role });
  };
  const yours = { Name: name.trim(), Role: roleNames[role] };
  return (
    <FormDialog
      title={of === null ? 'Add a name' : 'Change a name'}
      description="Whose an address is, as the team declares it. Everybody can read it."
      saveText="Save name"
      onSave={save}
      stale={
        stale !== null && (
          <StaleVersions what="name" yours={yours} before={shownFields(seen)} now={shownFields(stale)} />
        )
      }
      {...{ onClose, busy, problem }}
    >
      <div className="grid gap-4">
        <TextField
          label="Address"
          placeholder="0x…"
          value={address}
          error={wrong.address}
          // What was saved meanwhile is of this address.
          readOnly={of !== null || stale !== null}
          autoComplete="off"
          spellCheck={false}
          onText={setAddress}
        />
        <TextField
          label="Name"
          maxLength={wordsMax.name}
          value={name}
          error={wrong.name}
          autoComplete="off"
          onText={setName}
        />
        <RoleField role={role} choose={setRole} />
      </div>
    </FormDialog>
  );
}

function problemsOf(
  canonical: string | null,
  isTaken: boolean,
  name: string,
): { readonly address?: string; readonly name?: string } {
  return {
    ...(canonical === null && { address: 'A Sui address is 0x followed by 64 characters, each 0–9 or a–f.' }),
    ...(isTaken && { address: 'This address has a name already. Change that one.' }),
    ...(name.trim() === '' && { name: 'Enter a name.' }),
  };
}

type Role = (typeof declaredRoles)[number];

const RoleField = ({ role, choose }: { readonly role: Role; readonly choose: (role: Role) => void }) => (
  <label className="rock-filter">
    <span>What it is</span>
    <select value={role} onChange={({ target }) => choose(declaredRoles.find((each) => each === target.value) ?? role)}>
      {declaredRoles.map((each) => (
        <option key={each} value={each}>
          {roleNames[each]}
        </option>
      ))}
    </select>
  </label>
);
