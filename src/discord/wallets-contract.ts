import { z } from 'zod';

import { memberName, rowId, snowflake, time } from './contract.ts';
import { memberParams } from './members-contract.ts';

/** Authorized wallets of a server (rulings R5). */

export const authorizedWalletParams = z.object({ guildId: snowflake, walletId: rowId });
export const suiAddressText = z.string().max(80, { error: 'A Sui address has 66 characters.' });
/** DELETE /api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}: a wallet that the member has linked. */
export const memberWalletParams = memberParams.extend({ wallet: suiAddressText });

const authorizedWallet = z.object({
  id: z.string(),
  wallet: z.string(),
  reason: z.string(),
  expiresAt: time.nullable(),
  isActive: z.boolean(),
  addedBy: z.string(),
  addedAt: time,
  removedBy: z.string().nullable(),
  removedAt: time.nullable(),
  /** Who linked it, if anyone. */
  member: memberName.nullable(),
});
/** GET /api/discord/guilds/{guildId}/wallets: newest first, including those removed in the last 30 days. */
export const authorizedWalletsAnswer = z.object({ data: z.array(authorizedWallet) });
export type AuthorizedWalletsAnswer = z.infer<typeof authorizedWalletsAnswer>;
/** POST /api/discord/guilds/{guildId}/wallets; DELETE …/wallets/{walletId} answers the updated row. */
export const authorizeWalletBody = z.object({
  wallet: suiAddressText,
  reason: z
    .string()
    .trim()
    .max(200, { error: 'The reason must have at most 200 characters.' })
    // Its own sentence: a minimum length would say 'at least 1 characters'.
    .refine((reason) => reason !== '', { error: 'Give a reason.' })
    .meta({ minLength: 1 }),
  expiresAt: time.nullable().default(null),
});
export const authorizedWalletAnswer = z.object({ data: authorizedWallet });
