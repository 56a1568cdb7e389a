import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { MemberExplanation } from '../members-contract.ts';

/** The role engine as verification uses it. Throws database errors. */
export interface WalletLinking {
  /**
   * One wallet, one member per server (rulings R5), and a maximum per member (rules/verification-refusals.ts). The member is then due for
   * a check, so that the role comes by itself.
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
  /** Reads the wallets now and applies the result. */
  checkNow(guildId: string, userId: string, cause: string): Promise<MemberExplanation>;
  /** The current state, without a check; null: they have linked nothing in that server. */
  explain(guildId: string, userId: string): Promise<MemberExplanation | null>;
}

/** A server as verification needs to know it. */
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
