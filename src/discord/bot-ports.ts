import type { MemberExplanation } from './members-contract.ts';
import type { AuditTrail } from './ports.ts';

type Actor = Parameters<AuditTrail['record']>[0]['actor'];

/** The role engine as the bot uses it. Throws database errors. */
export interface BotRoles {
  /** False: it is not theirs. */
  unlinkWallet(guildId: string, userId: string, wallet: string, actor: Actor): Promise<boolean>;
  /** 'Delete my data': the role is removed at once and the rows are deleted. */
  deleteMember(guildId: string, userId: string, actor: Actor): Promise<unknown>;
  /** Reads the wallets now and applies the result. */
  checkNow(guildId: string, userId: string, cause: string): Promise<MemberExplanation>;
  /** The same without a new check; null: they have linked nothing in this server. */
  explain(guildId: string, userId: string): Promise<MemberExplanation | null>;
  /** A member who linked a wallet is in the server again. */
  memberJoined(guildId: string, userId: string, displayName: string): Promise<void>;
  /** Contract, role or grace changed, or the server is back: everyone is checked. */
  configurationChanged(guildId: string): Promise<void>;
  /** Roles or permissions of the server changed: what Discord refused before is retried. */
  guildChanged(guildId: string): Promise<void>;
}

/** One-time links to /verify/<token>. */
export interface VerifyLinks {
  makeLink(member: {
    readonly guildId: string;
    readonly userId: string;
    readonly displayName: string;
    readonly userName: string;
  }): Promise<{ readonly url: string; readonly expiresAt: Date }>;
}
