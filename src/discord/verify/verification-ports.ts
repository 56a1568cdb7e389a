import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { MemberExplanation } from '../members-contract.ts';

/** The role engine, as far as a verification needs it. Throws what the database throws. */
export interface WalletLinking {
  /**
   * One wallet one member per server (rulings R5), and so many a member (rules/verification-refusals.ts). The member is due for a check from then on, so that the role comes even when
   * nothing else is done.
   */
  linkWallet(
    link: {
      readonly guildId: string;
      readonly userId: string;
      readonly displayName: string;
      readonly wallet: string;
      readonly scheme: string;
    },
    transaction: OpenTransaction,
  ): Promise<'linked' | 'already-yours' | 'taken-by-another' | 'too-many'>;
  /** Reads the wallets now and does what follows from them. */
  checkNow(guildId: string, userId: string, cause: string): Promise<MemberExplanation>;
  /** As it stands now, without a look; null: they have linked nothing in that server. */
  explain(guildId: string, userId: string): Promise<MemberExplanation | null>;
}

/** A server as somebody who verifies needs to know it. */
export interface VerifiedGuild {
  readonly name: string;
  /** The bot is in it. */
  readonly isPresent: boolean;
  /** null: it has no NFT contract yet. */
  readonly nftName: string | null;
  /** It has an NFT contract and a role. */
  readonly isSetUp: boolean;
}

export interface GuildReading {
  /** null: the bot has never been there. */
  readGuild(guildId: string): Promise<VerifiedGuild | null>;
}
