import * as z from 'zod/mini';
import { allRights } from '../../../shared/rights.ts';
import { flagOrOff, instant, orUnknown, readable, textOrNone } from '../../../ui/api/answer-schema.ts';
import { useAnswer } from '../../../ui/api/use-answer.ts';
import { type ChangeOf, useVersionedChange } from '../../../ui/api/versioned-change.tsx';
import {
  account,
  accountsAnswer,
  addedFactor,
  authenticatorToAdd as authenticatorAnswer,
  ownAccountAnswer,
} from '../../contract.ts';

/** What the tab 'Accounts' reads and writes (docs/decisions/0039). null: not known. */

const own = {
  username: textOrNone,
  name: textOrNone,
  isDead: flagOrOff,
  isThisOne: flagOrOff,
  isYou: flagOrOff,
  passkeysAreOffered: flagOrOff,
  // null: never.
  'factors.lastUsedAt': orUnknown(instant),
  lastSignedInAt: orUnknown(instant),
  // null: none.
  rights: orUnknown(z.enum(allRights)),
};

/** GET /api/auth/account. */
export const ownAccount = readable(ownAccountAnswer, ['id'], own);
export type OwnAccount = z.output<typeof ownAccount>;
export type Factor = NonNullable<OwnAccount['factors']>[number];
export type Session = NonNullable<OwnAccount['sessions']>[number];

/** GET /api/admin/accounts. */
export const accounts = readable(accountsAnswer, ['id'], own);
export type Account = z.output<typeof accounts>[number];

/** Answers of adding a second factor. */
export const authenticatorToAdd = authenticatorAnswer;
export const newCodes = z.pick(addedFactor, { recoveryCodes: true });

const ownPath = '/api/auth/account';
export const accountsPath = '/api/admin/accounts';

export const useOwnAccount = () => useAnswer(ownPath, ownAccount);
export const useAccounts = () => useAnswer(accountsPath, accounts);

/** Changes an account's rights; null: none. */
export const useRightsChange = (change: ChangeOf<Account, string | null>) =>
  useVersionedChange<Account, string | null>({
    ...change,
    schema: readable(account, ['id'], own),
    versionOf: ({ changedAt }) => (changedAt === null ? null : Date.parse(changedAt)),
    call: (rights, { id }) => ({ method: 'PUT', path: `${accountsPath}/${id}/rights`, body: { rights } }),
    what: 'account',
    fieldsOf: shownFields,
  });

export const shownFields = ({ rights }: Pick<Account, 'rights'>) => ({ Rights: rightsText(rights) });

/** Rights in words; undefined: not known. */
export function rightsText(rights: Account['rights']): string {
  if (rights === undefined) return 'Not known';
  return rights === null ? 'None' : rightsInWords[rights];
}

export const rightsInWords: Readonly<Record<(typeof allRights)[number], string>> = {
  admin: 'Admin (everything)',
  treasurer: 'Treasurer (payouts, notes, names and amounts)',
  operator: 'Operator (the bots)',
};

export function kindText({ kind, isDead }: Pick<Factor, 'kind' | 'isDead'>): string {
  const text = kind === null ? 'Second factor' : { passkey: 'Passkey', authenticator: 'Authenticator app' }[kind];
  return isDead ? `${text} that no longer works` : text;
}
