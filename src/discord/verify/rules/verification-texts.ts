import { cleanText } from '../../../shared/foreign-text.ts';
import type { MemberExplanation, VerifyOutcomeAnswer } from '../../members-contract.ts';
import { walletsMax } from '../../roles/rules/findings.ts';

/** What a member signs to prove that a wallet is theirs (rulings R5). */
export interface VerificationFacts {
  readonly productName: string;
  /** The host of PUBLIC_URL, as the address bar shows it. */
  readonly domain: string;
  readonly guild: { readonly id: string; readonly name: string };
  readonly member: { readonly id: string; readonly name: string };
  readonly wallet: string;
  readonly network: string;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/**
 * A text that a person can read before signing. Names are foreign text: they are cleaned of line breaks and follow their ids, so that
 * none can pass for another line.
 */
export function verificationMessage(facts: VerificationFacts): string {
  const { productName, domain, guild, member, wallet, network, nonce, issuedAt, expiresAt } = facts;
  return [
    `${productName}: link this wallet to a Discord account.`,
    '',
    'This is not a transaction. It moves nothing and costs nothing.',
    `Sign only if the address bar shows ${domain} and you asked for this in Discord yourself.`,
    '',
    `Site: ${domain}`,
    `Server: ${guild.id} ${nameText(guild.name)}`,
    `Member: ${member.id} ${nameText(member.name)}`,
    `Wallet: ${wallet}`,
    `Network: sui:${network}`,
    `Nonce: ${nonce}`,
    `Issued at: ${issuedAt.toISOString()}`,
    `Expires at: ${expiresAt.toISOString()}`,
  ].join('\n');
}

/**
 * Whom a link is for, on its page and in the message. A member who sends their own link to someone else may have copied that person's
 * display name, but cannot copy the user name, which comes first.
 */
export const memberName = ({ displayName, userName }: { displayName: string; userName: string | null }): string =>
  userName === null ? displayName : `@${userName} (${displayName})`;

const nameLengthMax = 100;

const nameText = (name: string): string => cleanText(name, nameLengthMax) || '(no name)';

/** Why a link or a signature fails, in words that a member can act on; the codes are stable. */
export const verificationRefusals = {
  'no-such-link': {
    status: 404,
    message: 'We did not make this verification link. Use /verify in your Discord server to get one.',
  },
  'link-expired': {
    status: 410,
    message: 'This link has expired: links last 15 minutes. Use /verify in your Discord server to get a new one.',
  },
  'link-used': {
    status: 410,
    message:
      'This link has been used, a newer one took its place, or you have left the server. If you have just signed, /wallets in your Discord server shows what is linked; /verify gets you a new link.',
  },
  'server-gone': {
    status: 410,
    message: 'The bot is no longer in this Discord server, so there is nothing to verify for. Ask the server’s admins.',
  },
  'malformed-wallet': {
    status: 400,
    message: 'This is not a Sui address: 0x and 64 hex digits are expected. Choose the account in your wallet again.',
  },
  'no-message': {
    status: 409,
    message: 'This wallet has no message to sign, or it was already used. Choose the wallet again to get a new one.',
  },
  'bad-signature': {
    status: 400,
    message: 'This wallet did not sign this message. Choose the right account in your wallet and sign again.',
  },
  'too-many-attempts': {
    status: 410,
    message: 'Too many signatures were tried with this link. Use /verify in your Discord server to get a new one.',
  },
  'wallet-taken': {
    status: 409,
    message:
      'Another member of this server has linked this wallet. If that is you, unlink it there with /wallets; if not, ask the team. For another wallet, use /verify in your Discord server again.',
  },
  'too-many-wallets': {
    status: 409,
    message: `You have linked ${walletsMax} wallets in this server, the maximum. They still count. To link this one, unlink another with /wallets and use /verify again.`,
  },
  'chain-unavailable': {
    status: 503,
    message:
      'The signature of this wallet can only be checked on the Sui network, which does not answer right now. Nothing was changed: choose the wallet again in a minute.',
  },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>;

export type VerificationRefusal = keyof typeof verificationRefusals;

/** What is known about a member who has just linked a wallet. */
interface CheckedMember extends Pick<MemberExplanation, 'answer' | 'isBotOff'> {
  readonly wallets: readonly Pick<MemberExplanation['wallets'][number], 'answer'>[];
}

/** 'Nothing held' is reported only once every wallet was checked: the answer may be older than the last linked wallet. */
export function verificationOutcome(
  { answer, wallets, isBotOff }: CheckedMember,
  isSetUp: boolean,
): VerifyOutcomeAnswer['outcome'] {
  if (!isSetUp) return 'not-set-up';
  if (answer === 'does-not-hold' && wallets.every((wallet) => wallet.answer !== null)) return 'not-holding';
  if (isBotOff) return 'bot-off';
  return answer === 'holds' ? 'role-coming' : 'unknown';
}
