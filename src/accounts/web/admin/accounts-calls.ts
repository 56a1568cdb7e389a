import * as z from 'zod/mini';
import { allRights } from '../../../shared/rights.ts';
import {
  flagOrOff,
  instant,
  list,
  number,
  oneOf,
  orUnknown,
  rows,
  text,
  textOrNone,
  time,
} from '../../../ui/api/answer-schema.ts';
import { useAnswer } from '../../../ui/api/use-answer.ts';
import { type ChangeOf, useVersionedChange } from '../../../ui/api/versioned-change.tsx';

/** What the tab 'Accounts' reads and writes (docs/decisions/0039). null: not known. */

const factor = z.object({
  id: z.string(),
  kind: oneOf('passkey', 'authenticator'),
  name: textOrNone,
  addedAt: time,
  /** null: never. */
  lastUsedAt: orUnknown(instant),
  /** An authenticator app whose codes never work again. */
  isDead: flagOrOff,
});
export type Factor = z.infer<typeof factor>;

const session = z.object({ id: z.string(), browser: text, begunAt: time, lastUsedAt: time, isThisOne: flagOrOff });
export type Session = z.infer<typeof session>;

/** GET /api/auth/account. */
export const ownAccount = z.object({
  username: textOrNone,
  passkeysAreOffered: flagOrOff,
  factors: rows(factor),
  recoveryCodesLeft: number,
  sessions: rows(session),
});
export type OwnAccount = z.infer<typeof ownAccount>;

const account = z.object({
  id: z.string(),
  username: textOrNone,
  /** null: none; undefined: not known. */
  rights: orUnknown(z.enum(allRights)),
  changedAt: time,
  /** null: never. */
  lastSignedInAt: orUnknown(instant),
  factors: rows(factor),
  isYou: flagOrOff,
});
export type Account = z.infer<typeof account>;

/** GET /api/admin/accounts. */
export const accounts = list(account);

/** Answers of adding a second factor. */
export const authenticatorToAdd = z.object({ uri: z.string(), secret: z.string() });
export const newCodes = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });

const ownPath = '/api/auth/account';
export const accountsPath = '/api/admin/accounts';

export const useOwnAccount = () => useAnswer(ownPath, ownAccount);
export const useAccounts = () => useAnswer(accountsPath, accounts);

/** Changes an account's rights; null: none. */
export const useRightsChange = (change: ChangeOf<Account, string | null>) =>
  useVersionedChange<Account, string | null>({
    ...change,
    schema: account,
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
