import { useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import { Age } from '../../../ui/age.tsx';
import { StaleVersions } from '../../../ui/api/versioned-change.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { AlertDialog } from '../../../ui/dialogs.tsx';
import { Line, QueryLines } from '../../../ui/panel.tsx';
import { EmptyState } from '../../../ui/placeholders.tsx';
import { wordsMax } from '../../core/ledger-words.ts';
import { roleNames } from '../movement-words.ts';
import { NameDialog, shownFields } from './name-dialog.tsx';
import { type NameOfAddress, useNameChange, useNames } from './treasury-calls.ts';

const shownName = ({ declared }: NameOfAddress): string => foreignText(declared?.name ?? null, wordsMax.name);

/** Whose addresses are, as the team declares: shown as the other side of a movement. */
export function Names() {
  const query = useNames();
  const [open, setOpen] = useState<{ readonly kind: 'edit' | 'delete'; readonly of: NameOfAddress | null } | null>(
    null,
  );
  const close = () => setOpen(null);
  const buttons = (of: NameOfAddress) => {
    const about = `${shownName(of)}, ${shortAddress(of.address)}`;
    return (
      <div className="flex flex-wrap gap-2">
        <Button size="small" about={about} onClick={() => setOpen({ kind: 'edit', of })}>
          Change
        </Button>
        <Button size="small" look="danger" about={about} onClick={() => setOpen({ kind: 'delete', of })}>
          Delete
        </Button>
      </div>
    );
  };
  return (
    <Card as="section" aria-labelledby="treasury-names" aria-busy={query.isFetching}>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="treasury-names" className="title-3 flex-1">
          Names of addresses
        </h2>
        <Button size="small" onClick={() => setOpen({ kind: 'edit', of: null })}>
          Add a name
        </Button>
      </div>
      <p className="mb-4 max-w-prose text-quiet">
        Whose an address is. Everybody reads it on the treasury page, marked as declared by the team.
      </p>
      <QueryLines
        query={query}
        failure="Failed to load the names"
        empty={<EmptyState>No address has a name yet.</EmptyState>}
        labelledBy="treasury-names"
      >
        {(row) => (
          <Line key={row.address} end={buttons(row)}>
            <Name row={row} />
          </Line>
        )}
      </QueryLines>
      {open?.kind === 'edit' && <NameDialog of={open.of} names={query.data ?? []} onClose={close} />}
      {open?.kind === 'delete' && open.of !== null && <DeleteDialog of={open.of} onClose={close} />}
    </Card>
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
        {by !== null && <>By {by}</>} {at !== null && <Age asOf={at} />}
      </p>
    </>
  );
}

function DeleteDialog({ of, onClose }: { readonly of: NameOfAddress; readonly onClose: () => void }) {
  const { stale, send, ...change } = useNameChange({
    seen: of,
    success: { title: 'Name deleted', description: 'The address is shown without a declared name again.' },
    failure: 'Failed to delete the name',
    onDone: onClose,
  });
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete name"
      confirmText={stale === null ? 'Delete' : 'Delete anyway'}
      change={{ ...change, send: () => send(null) }}
    >
      <p>
        <bdi className="font-semibold">{shownName(of)}</bdi> is no longer shown as the name of{' '}
        <code>{shortAddress(of.address)}</code>.
      </p>
      {stale !== null && <StaleVersions what="name" before={shownFields(of)} now={shownFields(stale)} />}
    </AlertDialog>
  );
}
