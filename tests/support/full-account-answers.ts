import type { Json } from './answer-variants.ts';

/** Full answers to the calls of the tab 'Accounts'; no number in them is 0 or repeated. */
const at = '2026-11-20T10:00:00.000Z';
const factors = [{ id: '911', kind: 'passkey', name: 'Phone of Ogg', addedAt: at, lastUsedAt: at, isDead: true }];

export const fullAccountAnswers: Readonly<Record<string, Json>> = {
  '/api/auth/account': {
    username: 'ogg',
    rights: 'admin',
    passkeysAreOffered: true,
    factors,
    recoveryCodesLeft: 8,
    sessions: [{ id: '912', browser: 'Firefox on Linux', begunAt: at, lastUsedAt: at, isThisOne: true }],
  },
  '/api/admin/accounts': [
    {
      id: '913',
      username: 'Gwen',
      rights: 'operator',
      changedAt: at,
      lastSignedInAt: at,
      factors,
      isYou: false,
    },
  ],
};
