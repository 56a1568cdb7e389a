import { randomBytes } from 'node:crypto';

import type { Kysely } from 'kysely';

import type { Config } from '../../config.ts';
import { answeredWithin } from '../../db/outage.ts';
import type { Database } from '../../db/schema.ts';
import { defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { canonicalWallet } from '../../shared/sui-address.ts';
import type { Clock } from '../ports.ts';
import { hasChosenRole, type KnownGuild } from '../servers/rules/known-guild.ts';
import {
  verificationAnswer,
  verifyMessageAnswer,
  verifyOutcomeAnswer,
  type VerifyProgressAnswer,
  verifyProgressAnswer,
} from '../members-contract.ts';
import { verifyMessageBody, verifyParams, verifyProgressBody, verifySignatureBody } from '../requests.ts';
import {
  createLinkStore,
  createLinkTokens,
  type LinkedMember,
  type LinkStore,
  type LinkTokens,
  type StoredLink,
} from './link-store.ts';
import { type RedeemDeps, redeemSignature } from './redeem-signature.ts';
import {
  memberName,
  verificationMessage,
  verificationOutcome,
  type VerificationRefusal,
  verificationRefusals,
} from './rules/verification-texts.ts';

interface VerificationDeps extends RedeemDeps {
  readonly config: Pick<Config, 'PUBLIC_URL' | 'SUI_NETWORK'>;
  readonly productName: string;
  readonly sessionSecret: string;
  readonly db: Kysely<Database>;
  readonly clock: Pick<Clock, 'now'>;
}

export type Verification = ReturnType<typeof createVerification>;

/** zkLogin signatures have 1 to 2 kB, a multisig of several of them more. */
const signatureBytes = 32 * 1_024;
const nonceBytes = 16;
/** A wrong signature may come from a wrong account, so a few are allowed; but the chain, which others need too, checks some of them. */
const attemptsMax = 5;

interface OpenLink {
  readonly hash: Buffer;
  readonly link: StoredLink;
  readonly guild: KnownGuild;
}

interface Parts extends VerificationDeps {
  readonly store: LinkStore;
  readonly tokens: LinkTokens;
}

/** Rulings R5: a link valid for 15 minutes, a message built and stored here, one signature, one wallet. Public, by the link's secret. */
export function createVerification(deps: VerificationDeps) {
  const store = createLinkStore(deps.db);
  const tokens = createLinkTokens(deps.sessionSecret);
  const parts = { ...deps, store, tokens };
  const routes: readonly Route[] = [readRoute(parts), messageRoute(parts), signatureRoute(parts), outcomeRoute(parts)];
  return {
    routes,
    makeLink: async (member: LinkedMember): Promise<{ readonly url: string; readonly expiresAt: Date }> => {
      const token = tokens.newToken();
      const expiresAt = await store.begin(tokens.hashOf(token), member);
      return { url: `${deps.config.PUBLIC_URL}/verify/${token}`, expiresAt };
    },
  };
}

async function findOpen({ store, tokens, guilds }: Parts, token: string): Promise<OpenLink | VerificationRefusal> {
  const hash = tokens.hashOf(token);
  const link = await store.read(hash);
  if (link === null) return 'no-such-link';
  if (link.state !== 'open') return 'link-used';
  if (link.isExpired) return 'link-expired';
  if (link.attempts >= attemptsMax) return 'too-many-attempts';
  const guild = await guilds.read(link.guildId);
  return guild?.isPresent === true ? { hash, link, guild } : 'server-gone';
}

async function whenOpen(
  parts: Parts,
  token: string,
  answer: (opened: OpenLink) => object | Promise<object | VerificationRefusal>,
): Promise<RouteAnswer> {
  const opened = await answeredWithin(findOpen(parts, token));
  return answerOf(typeof opened === 'string' ? opened : await answer(opened));
}

const readRoute = (parts: Parts): Route =>
  defineRoute({
    method: 'GET',
    path: '/api/verify/{token}',
    access: 'public',
    summary: 'The server and member a verification link is for, and its expiry',
    params: verifyParams,
    answer: verificationAnswer,
    // Someone other than the member may have the link: only the signer learns what is linked.
    handle: ({ params }) =>
      whenOpen(parts, params.token, ({ link, guild }) => ({
        guildName: guild.name,
        memberName: memberName(link),
        nftName: guild.config?.nftName ?? parts.productName,
        network: parts.config.SUI_NETWORK,
        expiresAt: link.expiresAt.toISOString(),
      })),
  });

const messageRoute = (parts: Parts): Route =>
  defineRoute({
    method: 'POST',
    path: '/api/verify/{token}/message',
    access: 'public',
    summary: 'The message for a wallet to sign; the previous one becomes invalid',
    params: verifyParams,
    bodyBytes: 1_024,
    body: verifyMessageBody,
    answer: verifyMessageAnswer,
    handle: async ({ params, body }) => {
      const wallet = canonicalWallet(body.wallet);
      if (wallet === null) return answerOf('malformed-wallet');
      return whenOpen(parts, params.token, async (opened) => {
        const message = messageFor(parts, opened, wallet);
        if (!(await parts.store.keepMessage(opened.hash, wallet, message))) return 'link-used';
        return { message, expiresAt: opened.link.expiresAt.toISOString() };
      });
    },
  });

const messageFor = ({ config, productName, clock }: Parts, { link, guild }: OpenLink, wallet: string): string =>
  verificationMessage({
    productName,
    domain: new URL(config.PUBLIC_URL).host,
    guild: { id: link.guildId, name: guild.name },
    member: { id: link.userId, name: memberName(link) },
    wallet,
    network: config.SUI_NETWORK,
    nonce: randomBytes(nonceBytes).toString('base64url'),
    issuedAt: clock.now(),
    expiresAt: link.expiresAt,
  });

const signatureRoute = (parts: Parts): Route =>
  defineRoute({
    method: 'POST',
    path: '/api/verify/{token}/signature',
    access: 'public',
    summary: 'Link the wallet that signed the message; each message is checked once, and each link can link one wallet',
    bodyBytes: signatureBytes,
    params: verifyParams,
    body: verifySignatureBody,
    answer: verifyOutcomeAnswer,
    handle: async ({ params: { token }, body: { signature, ...body } }) => {
      const wallet = canonicalWallet(body.wallet);
      if (wallet === null) return answerOf('malformed-wallet');
      return whenOpen(parts, token, async (opened) => {
        const redeemed = await redeemSignature(parts, { ...opened, wallet, signature });
        return typeof redeemed === 'string' ? redeemed : { ...redeemed, receipt: parts.tokens.receiptOf(token) };
      });
    },
  });

const outcomeRoute = (parts: Parts): Route =>
  defineRoute({
    method: 'POST',
    path: '/api/verify/{token}/outcome',
    access: 'public',
    summary: 'Whether the role was given, for the browser that signed',
    params: verifyParams,
    bodyBytes: 1_024,
    body: verifyProgressBody,
    answer: verifyProgressAnswer,
    handle: async ({ params: { token }, body: { receipt } }) => {
      const { store, tokens } = parts;
      if (!tokens.isReceiptOf(token, receipt)) return answerOf('no-such-link');
      const link = await answeredWithin(store.read(tokens.hashOf(token)));
      if (link === null) return answerOf('no-such-link');
      if (link.isExpired) return answerOf('link-expired');
      return answerOf((await answeredWithin(progressOf(parts, link))) ?? 'no-such-link');
    },
  });

/** null: the member has deleted their data since. */
async function progressOf(
  { roles, guilds }: RedeemDeps,
  { guildId, userId }: StoredLink,
): Promise<VerifyProgressAnswer | null> {
  const [explanation, guild] = await Promise.all([roles.explain(guildId, userId), guilds.read(guildId)]);
  if (explanation === null) return null;
  const { hasRole, sentences } = explanation;
  return { isGiven: hasRole === true, outcome: verificationOutcome(explanation, hasChosenRole(guild)), sentences };
}

const answerOf = (answer: VerificationRefusal | object): RouteAnswer => {
  if (typeof answer !== 'string') return { data: answer };
  const { status, message } = verificationRefusals[answer];
  return { status, body: { message, code: answer } };
};
