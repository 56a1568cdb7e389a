import { Unavailable } from '../../shared/failure.ts';
import type { LinkTokens } from './link-tokens.ts';
import type { StoredLink, VerificationStore } from './verification-store.ts';
import type { MemberExplanation } from '../members-contract.ts';
import type { VerifyOutcomeAnswer } from '../verify-contract.ts';
import type { AuditTrail, Clock, SignatureCheck } from '../ports.ts';
import type { GuildReading, VerifiedGuild, WalletLinking } from './verification-ports.ts';
import { verificationOutcome, type VerificationRefusal } from './rules/verification-refusals.ts';

export interface RedeemDeps {
  readonly store: VerificationStore;
  readonly tokens: LinkTokens;
  readonly signatures: SignatureCheck;
  readonly linking: WalletLinking;
  readonly guilds: GuildReading;
  readonly audit: AuditTrail;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: { warn(details: object, message: string): void };
}

/** A wrong signature may be a wrong account; many are an attack on the link. */
const attemptsMax = 5;
/** Proxies and the page itself wait for a minute; many wallets and kiosks take longer at a public node. */
const lookWithinMs = 20_000;

interface Signed {
  readonly hash: Buffer;
  readonly link: StoredLink;
  readonly guild: Pick<VerifiedGuild, 'name'>;
  /** Canonical. */
  readonly wallet: string;
  readonly signature: string;
}

export type Redeemed =
  | { readonly kind: 'refused'; readonly code: VerificationRefusal }
  | { readonly kind: 'linked'; readonly answer: LinkedAnswer };

type LinkedAnswer = Omit<VerifyOutcomeAnswer['data'], 'receipt'>;

/**
 * Checks the signature of the issued message, once, and links the wallet. Throws database errors; the wallet may be linked then, and
 * the role engine continues by itself.
 */
export async function redeemSignature(deps: RedeemDeps, signed: Signed, stop?: AbortSignal): Promise<Redeemed> {
  const { store } = deps;
  const { hash, link, wallet } = signed;
  const taken = await store.takeMessage(hash, wallet);
  if (taken === null) return { kind: 'refused', code: 'no-message' };
  const check = await checkSignature(deps, { ...signed, message: taken.message }, stop);
  if (check.kind === 'unavailable') {
    await store.settle(hash, 'closed');
    return { kind: 'refused', code: 'chain-unavailable' };
  }
  if (check.kind === 'invalid') {
    const isOver = taken.attempts >= attemptsMax;
    const isSettled = await store.settle(hash, isOver ? 'closed' : 'open');
    if (!isSettled) return { kind: 'refused', code: 'link-used' };
    return { kind: 'refused', code: isOver ? 'too-many-attempts' : 'bad-signature' };
  }
  const linked = await linkAndUse(deps, signed, check.scheme);
  if (linked === null) return { kind: 'refused', code: 'link-used' };
  if (linked === 'taken-by-another') return { kind: 'refused', code: 'wallet-taken' };
  if (linked === 'too-many') return { kind: 'refused', code: 'too-many-wallets' };
  const explanation = await foundSoon(deps, link);
  const guild = await deps.guilds.readGuild(link.guildId);
  const outcome = verificationOutcome(explanation, guild?.isSetUp === true);
  return { kind: 'linked', answer: { wallet, outcome, sentences: explanation.sentences } };
}

/** The check's result, or the state so far when it takes too long: the check goes on, and the wallet is linked. */
async function foundSoon(
  { linking, clock, log }: RedeemDeps,
  { guildId, userId }: StoredLink,
): Promise<MemberExplanation> {
  const looking = linking.checkNow(guildId, userId, 'verified');
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const cancel = clock.after(lookWithinMs, () => resolve(null));
  try {
    const found = await Promise.race([looking, late]);
    if (found !== null) return found;
  } finally {
    cancel();
  }
  looking.catch((error: unknown) =>
    log.warn({ err: error, guildId }, 'The check after a verification failed; it is due again'),
  );
  // They may have deleted their data meanwhile.
  return (await linking.explain(guildId, userId)) ?? looking;
}

type Checked = Awaited<ReturnType<SignatureCheck['verify']>> | { readonly kind: 'unavailable' };

async function checkSignature(
  { signatures }: RedeemDeps,
  signed: { readonly message: string; readonly signature: string; readonly wallet: string },
  stop: AbortSignal | undefined,
): Promise<Checked> {
  try {
    return await signatures.verify(signed, stop);
  } catch (error) {
    if (error instanceof Unavailable) return { kind: 'unavailable' };
    throw error;
  }
}

/** Someone else's wallet uses the link up as well: the signer knows both members. */
function linkAndUse({ store, linking, audit }: RedeemDeps, { hash, link, wallet, guild }: Signed, scheme: string) {
  const { guildId, userId, displayName } = link;
  return store.use(hash, async (transaction) => {
    const linked = await linking.linkWallet({ guildId, userId, displayName, wallet, scheme }, transaction);
    if (linked !== 'linked') return linked;
    await audit.record(
      {
        actor: { kind: 'discord', userId, name: displayName },
        action: 'discord-wallet-linked',
        subject: { kind: 'discord-member', id: `${guildId}/${userId}`, label: `${displayName} in ${guild.name}` },
        before: null,
        after: { wallet, scheme },
      },
      transaction,
    );
    return linked;
  });
}
