import type * as z from 'zod/mini';
import { list, readable } from '../../../ui/api/answer-schema.ts';
import { withQuery } from '../../../ui/api/api-client.ts';
import { useAnswer, useAnswerPages } from '../../../ui/api/use-answer.ts';
import { type ChangeOf, useVersionedChange } from '../../../ui/api/versioned-change.tsx';
import { amountOfSlice, nameOfAddress, noteOfMovement, treasuryStatusAnswer } from '../../ledger-contract.ts';
import { coinSumNeeds, ledgerPage, type ShownMovement } from '../ledger-facts.tsx';
import { roleNames } from '../movement-words.ts';

/** What the tab 'Treasury' reads and writes (rulings R3, R8). null: unknown; for a note, a name or an amount: none. */

const shownNote = readable(noteOfMovement, ['digest', 'text']);
export type NoteOfMovement = Pick<ShownMovement, 'digest' | 'note'>;

const shownName = readable(nameOfAddress, ['address', 'name']);
export type NameOfAddress = z.output<typeof shownName>;

const shownAmount = readable(amountOfSlice, ['slice']);
export type AmountOfSlice = z.output<typeof shownAmount>;

/** GET /api/admin/treasury. */
export const treasuryStatus = readable(treasuryStatusAnswer, coinSumNeeds);

/** GET /api/admin/treasury/names. */
export const treasuryNames = list(shownName);

/** GET /api/admin/treasury/amounts. */
export const treasuryAmounts = list(shownAmount);

const statusPath = '/api/admin/treasury';
const ledgerPath = '/api/treasury/ledger';
export const movementsKey = [ledgerPath, 'admin'] as const;

export const useTreasuryStatus = () => useAnswer(statusPath, treasuryStatus);

export const useNames = () => useAnswer(`${statusPath}/names`, treasuryNames);

export const useAmounts = () => useAnswer(`${statusPath}/amounts`, treasuryAmounts);

/** Movements of one kind; '': of all kinds. */
export const useMovements = (kind: string) =>
  useAnswerPages({
    key: [...movementsKey, kind],
    schema: ledgerPage,
    pathOf: (page) => withQuery(ledgerPath, { kind, page }),
    cursorOf: ({ total, page, pageSize }) =>
      total !== null && page !== null && pageSize !== null && page * pageSize < total ? String(page + 1) : null,
    rowsOf: ({ entries }) => entries,
    keyOf: ({ digest }) => digest,
  });

/** The version is the time of the last change, to the millisecond; 0 if there is nothing. */
const versionOf = (held: { readonly at: string | null } | null): number | null => {
  if (held === null) return 0;
  return held.at === null ? null : Date.parse(held.at);
};

type NoteInput = { readonly text: string; readonly link: string | null } | null;
type NameInput = { readonly name: string; readonly role: string } | null;
type AmountInput = { readonly usd: string } | null;

/** Writes the note on a movement; null deletes it. */
export const useNoteChange = (change: ChangeOf<NoteOfMovement, NoteInput>) =>
  useVersionedChange<NoteOfMovement, NoteInput>({
    ...change,
    schema: shownNote,
    versionOf: ({ note }) => versionOf(note),
    call: (body, { digest }) => callOf(`${statusPath}/notes/${encodeURIComponent(digest)}`, body),
    what: 'note',
    fieldsOf: ({ note }) => ({ Note: note?.text ?? '', Link: note?.link ?? '' }),
  });

/** Declares the name of an address; null deletes it. */
export const useNameChange = (change: ChangeOf<NameOfAddress, NameInput>) =>
  useVersionedChange<NameOfAddress, NameInput>({
    ...change,
    schema: shownName,
    versionOf: ({ declared }) => versionOf(declared),
    call: (body, { address }) => callOf(`${statusPath}/names/${encodeURIComponent(address)}`, body),
    what: 'name',
    fieldsOf: ({ declared }) => ({
      Name: declared?.name ?? '',
      Role: declared?.role == null ? '' : roleNames[declared.role],
    }),
  });

/** Declares the amount in a slice of the plan; null deletes it. */
export const useAmountChange = (change: ChangeOf<AmountOfSlice, AmountInput>) =>
  useVersionedChange<AmountOfSlice, AmountInput>({
    ...change,
    schema: shownAmount,
    versionOf: ({ declared }) => versionOf(declared),
    call: (body, { slice }) => callOf(`${statusPath}/amounts/${slice}`, body),
    what: 'amount',
    fieldsOf: ({ declared }) => ({ 'Amount in USD': declared?.usd ?? '' }),
  });

const callOf = (path: string, body: object | null) =>
  body === null ? ({ method: 'DELETE', path } as const) : ({ method: 'PUT', path, body } as const);
