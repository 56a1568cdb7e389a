import { cleanText } from '../../../shared/clean-text.ts';

/** What a member signs to prove that a wallet is theirs (rulings R5). */
export interface VerificationFacts {
  readonly productName: string;
  /** The host of PUBLIC_URL, as the address bar shows it. */
  readonly domain: string;
  readonly guild: { readonly id: string; readonly name: string };
  readonly member: { readonly id: string; readonly name: string };
  /** Canonical. */
  readonly wallet: string;
  readonly network: string;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/**
 * A text that a person can read before signing. Names are foreign text: cleaned they hold no line break, and each stands behind its
 * id, so that none can pass for another line.
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
 * Whom a link is for, on its page and in the message: a member who sends someone else their own link may have copied that one's display
 * name, but never the user name, which comes first.
 */
export const memberName = ({ displayName, userName }: { displayName: string; userName: string | null }): string =>
  userName === null ? displayName : `@${userName} (${displayName})`;

const nameLengthMax = 100;

const nameText = (name: string): string => cleanText(name, nameLengthMax) || '(no name)';
