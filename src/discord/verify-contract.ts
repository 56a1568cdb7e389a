import { z } from 'zod';

import { time } from './contract.ts';
import { suiAddressText } from './members-contract.ts';

/** The calls of /verify/<token>: public, by the secret in the link. */

export const verifyParams = z.object({ token: z.string().regex(/^[\w-]{43}$/, 'This is not a verification link.') });
/**
 * GET /api/verify/{token}: only the member's name, since no one has signed yet. An ended link is 410 `link-expired` or `link-used`; 404
 * `no-such-link`.
 */
export const verificationAnswer = z.object({
  data: z.object({
    guildName: z.string(),
    memberName: z.string(),
    nftName: z.string(),
    /** `mainnet`, …: the wallet must be on the same. */
    network: z.string(),
    expiresAt: time,
  }),
});
/** POST /api/verify/{token}/message: the text that this wallet is to sign; replaces the one before. */
export const verifyMessageBody = z.object({ wallet: suiAddressText });
export const verifyMessageAnswer = z.object({ data: z.object({ message: z.string(), expiresAt: time }) });
/** POST /api/verify/{token}/signature. zkLogin signatures have 1 to 2 kB, a multisig of them several. */
export const verifySignatureBody = z.object({ wallet: suiAddressText, signature: z.string().max(24_000) });
/**
 * `role-coming`: given within seconds. `not-holding`: linked, the role comes with the first piece. `unknown`: linked; the check is
 * running, or is repeated as soon as the chain can be read.
 */
const verificationOutcome = z.enum(['role-coming', 'not-holding', 'unknown', 'not-set-up']);
export const verifyOutcomeAnswer = z.object({
  data: z.object({
    wallet: z.string(),
    outcome: verificationOutcome,
    /** Sentences a member can act on: what was found, where, and what happens next. */
    sentences: z.array(z.string()),
    /** For `outcome` below: only the one who signed learns the outcome. */
    receipt: z.string(),
  }),
});
export type VerifyOutcomeAnswer = z.infer<typeof verifyOutcomeAnswer>;
/**
 * POST /api/verify/{token}/outcome: the outcome, until the link would have expired. The link alone is no longer enough: without the
 * receipt of the signature it is 404 `no-such-link`.
 */
export const verifyProgressBody = z.object({ receipt: z.string().max(100) });
export const verifyProgressAnswer = z.object({
  data: z.object({
    /** The member has the role, as Discord has said. */
    isGiven: z.boolean(),
    outcome: verificationOutcome,
    /** As those of the signature, up to date. */
    sentences: z.array(z.string()),
  }),
});
export type VerifyProgressAnswer = z.infer<typeof verifyProgressAnswer>;
