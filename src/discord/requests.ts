import { z } from 'zod';

import { rowId } from '../shared/parsed-text.ts';

/** What the calls of the community-server bot take (specification 7, rulings R5 and R6). */

const snowflake = z.string().regex(/^\d{5,20}$/, 'A Discord id is 5 to 20 digits.');

export const guildParams = z.object({ guildId: snowflake });
export const memberParams = z.object({ guildId: snowflake, userId: snowflake });
export const removalParams = z.object({ removalId: rowId });

/** POST /api/discord/configure (specification 7). The first five fields are the specification's. */
export const configureBody = z.object({
  guildId: snowflake,
  /** Empty: none yet. */
  roleId: z.union([z.literal(''), snowflake]).default(''),
  channelId: z.union([z.literal(''), snowflake]).nullish(),
  nftContract: z
    .string()
    .trim()
    .min(1, { error: 'Required' })
    .max(500, { error: 'The NFT contract must have at most 500 characters.' }),
  nftName: z
    .string()
    .trim()
    .min(1, { error: 'Required' })
    .max(100, { error: 'The display name must have at most 100 characters.' }),
  /** Omitted: unchanged. */
  graceMinutes: z.int().min(0).max(43_200).optional(),
});
export const dryRunBody = z.object({ nftContract: configureBody.shape.nftContract });

export const membersQuery = z.object({ search: z.string().max(100).optional(), after: snowflake.optional() });

export const authorizedWalletParams = z.object({ guildId: snowflake, walletId: rowId });
const suiAddressText = z.string().max(80, { error: 'A Sui address has 66 characters.' });
/** DELETE /api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}: a wallet that the member has linked. */
export const memberWalletParams = memberParams.extend({ wallet: suiAddressText });
export const authorizeWalletBody = z.object({
  wallet: suiAddressText,
  reason: z
    .string()
    .trim()
    .max(200, { error: 'The reason must have at most 200 characters.' })
    // Its own sentence: a minimum length would say 'at least 1 character is expected'.
    .refine((reason) => reason !== '', { error: 'Give a reason.' })
    .meta({ minLength: 1 }),
  expiresAt: z.iso.datetime().nullable().default(null),
});

/** The calls of /verify/<token>. */

export const verifyParams = z.object({ token: z.string().regex(/^[\w-]{43}$/, 'This is not a verification link.') });
export const verifyMessageBody = z.object({ wallet: suiAddressText });
/** POST /api/verify/{token}/signature. zkLogin signatures have 1 to 2 kB, a multisig of them several. */
export const verifySignatureBody = z.object({
  wallet: suiAddressText, // More than any signature has: one that is too long is refused in words (sources/sui/verify-signature.ts).
  signature: z.string().max(24_000),
});
export const verifyProgressBody = z.object({ receipt: z.string().max(100) });
