import type { SuiClient } from '../../sources/sui/sui-client.ts';
import { withTimeout } from '../../process/in-time.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { MemberExplanation, VerifyOutcomeAnswer } from '../members-contract.ts';
import type { AuditTrail } from '../ports.ts';
import { memberSubject } from '../roles/member-store.ts';
import type { MemberRoles } from '../roles/roles.ts';
import type { GuildStore } from '../servers/guild-store.ts';
import { hasChosenRole, type KnownGuild } from '../servers/rules/known-guild.ts';
import type { LinkStore, StoredLink } from './link-store.ts';
import { verificationOutcome, type VerificationRefusal } from './rules/verification-texts.ts';

export interface RedeemDeps {
  readonly roles: MemberRoles;
  readonly guilds: Pick<GuildStore, 'read'>;
  readonly sui: Pick<SuiClient, 'verifyPersonalMessage'>;
  readonly audit: AuditTrail;
  /** How long the signer waits for the check that follows. Only tests change it. */
  readonly checkWithinMs?: number;
}

/** Proxies and the page itself wait for a minute; many wallets and kiosks take longer at a public node. */
const checkWithinMs = 20_000;

interface Signed {
  readonly hash: Buffer;
  readonly link: StoredLink;
  readonly guild: Pick<KnownGuild, 'name'>;
  readonly wallet: string;
  readonly signature: string;
}

/**
 * Checks the signature of the issued message, once, and links the wallet. Throws database errors; the wallet may be linked then, and
 * the role engine continues by itself.
 */
export async function redeemSignature(
  deps: RedeemDeps & { readonly store: LinkStore },
  signed: Signed,
): Promise<Omit<VerifyOutcomeAnswer, 'receipt'> | VerificationRefusal> {
  const { store } = deps;
  const { hash, link, wallet, signature } = signed;
  const message = await store.takeMessage(hash, wallet);
  if (message === null) return 'no-message';
  const check = await checkSignature(deps, { message, signature, wallet });
  if (check.kind === 'unavailable') {
    await store.uncountAttempt(hash);
    return 'chain-unavailable';
  }
  if (check.kind === 'invalid') return 'bad-signature';
  const linked = await linkAndUse(deps, store, signed, check.scheme);
  if (linked === null) return 'link-used';
  if (linked === 'taken-by-another') return 'wallet-taken';
  if (linked === 'too-many') return 'too-many-wallets';
  const explanation = await foundSoon(deps, link);
  // Meanwhile the member deleted their data, including this link, or unlinked the wallet again.
  if (explanation?.wallets.some((linked) => linked.wallet === wallet) !== true) return 'link-used';
  const outcome = verificationOutcome(explanation, hasChosenRole(await deps.guilds.read(link.guildId)));
  return { wallet, outcome, sentences: explanation.sentences };
}

/** The check's result, or the state so far if it takes too long: the check continues, and the wallet is linked. */
async function foundSoon(deps: RedeemDeps, { guildId, userId }: StoredLink): Promise<MemberExplanation | null> {
  const check = deps.roles.checkAndExplain(guildId, userId, 'verified');
  const found = await withTimeout(check, deps.checkWithinMs ?? checkWithinMs, () => null);
  return found ?? deps.roles.explain(guildId, userId);
}

/** Only a zkLogin signature needs the chain: an unreachable chain does not make it a bad one. */
async function checkSignature(
  { sui }: RedeemDeps,
  { message, signature, wallet }: { readonly message: string; readonly signature: string; readonly wallet: string },
) {
  try {
    return await sui.verifyPersonalMessage({ message: new TextEncoder().encode(message), signature, address: wallet });
  } catch (error) {
    if (error instanceof Unavailable) return { kind: 'unavailable' } as const;
    throw error;
  }
}

/** A wallet linked by another member also uses up the link: its signer knows both members. */
function linkAndUse({ roles, audit }: RedeemDeps, store: LinkStore, signed: Signed, scheme: string) {
  const { hash, link, wallet, guild } = signed;
  const { guildId, userId, displayName } = link;
  return store.use(hash, async (transaction) => {
    const linked = await roles.linkWallet({ guildId, userId, displayName, wallet, scheme }, transaction);
    if (linked !== 'linked') return linked;
    const actor = { kind: 'discord', userId, name: displayName } as const;
    const subject = memberSubject({ ...link, guild });
    const entry = { actor, action: 'discord-wallet-linked', subject, before: null, after: { wallet, scheme } };
    await audit.record(entry, transaction);
    return linked;
  });
}
