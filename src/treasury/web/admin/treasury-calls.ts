import * as z from 'zod/mini';
import { list, oneOf, part, rows, text, time } from '../../../ui/api/answer-schema.ts';
import { withQuery } from '../../../ui/api/api-client.ts';
import { useAnswer, useAnswerPages } from '../../../ui/api/use-answer.ts';
import { type ChangeOf, useVersionedChange } from '../../../ui/api/versioned-change.tsx';
import { declarableSlices, declaredRoles } from '../../core/ledger-words.ts';
import { coinSum, ledgerPage } from '../ledger-facts.tsx';
import { roleNames } from '../movement-words.ts';

/** What the tab 'Treasury' reads and writes (rulings R3, R8). null: unknown; for a note, a name or an amount: none. */

const noteOfMovement = z.object({ digest: z.string(), note: part({ text: z.string(), link: text, at: time }) });
export type NoteOfMovement = z.infer<typeof noteOfMovement>;

const nameOfAddress = z.object({
  address: z.string(),
  declared: part({ name: z.string(), role: oneOf(...declaredRoles), at: time, by: text }),
});
export type NameOfAddress = z.infer<typeof nameOfAddress>;

const amountOfSlice = z.object({
  slice: z.enum(declarableSlices),
  declared: part({ usd: text, at: time, by: text }),
});
export type AmountOfSlice = z.infer<typeof amountOfSlice>;

const history = part({ text });

/** GET /api/admin/treasury. */
export const treasuryStatus = z.object({
  ledger: history,
  rocks: history,
  coins: rows(coinSum),
  proofCheckpoint: text,
});

/** GET /api/admin/treasury/names. */
export const treasuryNames = list(nameOfAddress);

/** GET /api/admin/treasury/amounts. */
export const treasuryAmounts = list(amountOfSlice);

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
    schema: noteOfMovement,
    versionOf: ({ note }) => versionOf(note),
    call: (body, { digest }) => callOf(`${statusPath}/notes/${encodeURIComponent(digest)}`, body),
    what: 'note',
    fieldsOf: ({ note }) => ({ Note: note?.text ?? '', Link: note?.link ?? '' }),
  });

/** Declares the name of an address; null deletes it. */
export const useNameChange = (change: ChangeOf<NameOfAddress, NameInput>) =>
  useVersionedChange<NameOfAddress, NameInput>({
    ...change,
    schema: nameOfAddress,
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
    schema: amountOfSlice,
    versionOf: ({ declared }) => versionOf(declared),
    call: (body, { slice }) => callOf(`${statusPath}/amounts/${slice}`, body),
    what: 'amount',
    fieldsOf: ({ declared }) => ({ 'Amount in USD': declared?.usd ?? '' }),
  });

const callOf = (path: string, body: object | null) =>
  body === null ? ({ method: 'DELETE', path } as const) : ({ method: 'PUT', path, body } as const);
