import { randomBytes } from 'node:crypto';

import type { Kysely } from 'kysely';

import { answeredWithin } from '../../db/outage.ts';
import type { Route } from '../../http/route.ts';
import { canonicalWallet } from '../../shared/sui-address.ts';
import { createLinkTokens } from './link-tokens.ts';
import type { Database } from '../../db/schema.ts';
import { createVerificationStore, type StoredLink } from './verification-store.ts';
import type { VerifyProgressAnswer } from '../verify-contract.ts';
import { memberName, verificationMessage } from './rules/verification-message.ts';
import { type VerificationCalls, verificationRoutes } from './http-verify.ts';
import type { AuditTrail, Clock, SignatureCheck } from '../ports.ts';
import { redeemSignature } from './redeem-signature.ts';
import type { GuildReading, VerifiedGuild, WalletLinking } from './verification-ports.ts';
import { verificationOutcome, type VerificationRefusal } from './rules/verification-refusals.ts';

export interface VerificationDeps {
  readonly settings: {
    readonly productName: string;
    /** Without a trailing slash. */
    readonly publicUrl: string;
    readonly network: string;
    readonly sessionSecret: string;
  };
  readonly db: Kysely<Database>;
  readonly linking: WalletLinking;
  readonly guilds: GuildReading;
  readonly signatures: SignatureCheck;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
}

export interface Verification {
  readonly routes: readonly Route[];
  /** A one-time link for that member of that server. */
  makeLink(member: {
    readonly guildId: string;
    readonly userId: string;
    readonly displayName: string;
    readonly userName: string;
  }): Promise<{ readonly url: string; readonly expiresAt: Date }>;
}

/** An unresponsive database must not keep anyone waiting: 503. */
const databaseWithinMs = 3_000;

/** Rulings R5: a link valid for 15 minutes, a message built and stored here, one signature, one wallet. */
export function createVerification(deps: VerificationDeps): Verification {
  const { settings, db } = deps;
  const store = createVerificationStore(db);
  const tokens = createLinkTokens(settings.sessionSecret);
  return {
    routes: verificationRoutes(createCalls(deps, store, tokens)),
    makeLink: async (member) => {
      const token = tokens.newToken();
      const expiresAt = await store.begin(tokens.hashOf(token), member);
      return { url: `${settings.publicUrl}/verify/${token}`, expiresAt };
    },
  };
}

interface OpenLink {
  readonly hash: Buffer;
  readonly link: StoredLink;
  readonly guild: VerifiedGuild;
}

function createCalls(
  deps: VerificationDeps,
  store: ReturnType<typeof createVerificationStore>,
  tokens: ReturnType<typeof createLinkTokens>,
): VerificationCalls {
  const { settings, guilds, clock } = deps;
  const open = (token: string): Promise<OpenLink | VerificationRefusal> =>
    answeredWithin(lookAt(token), databaseWithinMs);
  const lookAt = async (token: string): Promise<OpenLink | VerificationRefusal> => {
    const hash = tokens.hashOf(token);
    const link = await store.read(hash);
    if (link === null) return 'no-such-link';
    if (link.state !== 'open') return 'link-used';
    if (link.isExpired) return 'link-expired';
    const guild = await guilds.readGuild(link.guildId);
    return guild?.isPresent === true ? { hash, link, guild } : 'server-gone';
  };
  return {
    // The link may be in other hands than the member's: only the one who signed learns what is linked (redeem).
    read: async (token) => {
      const opened = await open(token);
      if (typeof opened === 'string') return opened;
      const { link, guild } = opened;
      return {
        guildName: guild.name,
        memberName: memberName(link),
        nftName: guild.nftName ?? settings.productName,
        network: settings.network,
        expiresAt: link.expiresAt.toISOString(),
      };
    },
    message: async (token, text) => {
      const wallet = canonicalWallet(text);
      if (wallet === null) return 'malformed-wallet';
      const opened = await open(token);
      if (typeof opened === 'string') return opened;
      const { hash, link } = opened;
      const message = messageFor(settings, opened, wallet, clock.now());
      if (!(await store.keepMessage(hash, wallet, message))) return 'link-used';
      return { message, expiresAt: link.expiresAt.toISOString() };
    },
    redeem: async (token, { wallet: text, signature }) => {
      const wallet = canonicalWallet(text);
      if (wallet === null) return 'malformed-wallet';
      const opened = await open(token);
      if (typeof opened === 'string') return opened;
      const redeemed = await redeemSignature({ ...deps, store, tokens }, { ...opened, wallet, signature });
      return redeemed.kind === 'refused' ? redeemed.code : { ...redeemed.answer, receipt: tokens.receiptOf(token) };
    },
    outcome: async (token, receipt) => {
      if (!tokens.isReceiptOf(token, receipt)) return 'no-such-link';
      const link = await answeredWithin(store.read(tokens.hashOf(token)), databaseWithinMs);
      if (link === null) return 'no-such-link';
      if (link.isExpired) return 'link-expired';
      return (await answeredWithin(progressOf(deps, link), databaseWithinMs)) ?? 'no-such-link';
    },
  };
}

/** null: they have deleted their data since. */
async function progressOf(
  { linking, guilds }: Pick<VerificationDeps, 'linking' | 'guilds'>,
  { guildId, userId }: StoredLink,
): Promise<VerifyProgressAnswer['data'] | null> {
  const [explanation, guild] = await Promise.all([linking.explain(guildId, userId), guilds.readGuild(guildId)]);
  if (explanation === null) return null;
  const { hasRole, sentences } = explanation;
  return { isGiven: hasRole === true, outcome: verificationOutcome(explanation, guild?.isSetUp === true), sentences };
}

const nonceBytes = 16;

const messageFor = (
  { productName, publicUrl, network }: VerificationDeps['settings'],
  { link, guild }: OpenLink,
  wallet: string,
  issuedAt: Date,
): string =>
  verificationMessage({
    productName,
    domain: new URL(publicUrl).host,
    guild: { id: link.guildId, name: guild.name },
    member: { id: link.userId, name: memberName(link) },
    wallet,
    network,
    nonce: randomBytes(nonceBytes).toString('base64url'),
    issuedAt,
    expiresAt: link.expiresAt,
  });
