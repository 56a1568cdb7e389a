import type { HoldingAnswer, NftTypeAnswer } from '../market/contract.ts';
import type { StopSignal } from '../shared/clock.ts';

export type { AuditTrail } from '../audit/contract.ts';
export type { Clock } from '../shared/clock.ts';

/** Who holds what, from the collections capability. `unknown` is an answer; only `readNftType` throws Unavailable. */
export interface Ownership {
  readWallet(nftType: string, wallet: string, stop?: StopSignal): Promise<HoldingAnswer>;
  readWallets(
    nftType: string,
    wallets: readonly string[],
    stop?: StopSignal,
  ): Promise<ReadonlyMap<string, HoldingAnswer>>;
  readNftType(text: string, stop?: StopSignal): Promise<NftTypeAnswer>;
}

/**
 * Plain text to one channel, without pings. `not-now`: it certainly did not arrive; `refused`: it will not, until a person changes
 * something. Throws Unavailable when it is unknown whether it arrived. Of two messages with the same nonce Discord posts one, within some
 * minutes.
 */
export type SendToChannel = (
  channelId: string,
  content: string,
  nonce?: string,
) => Promise<{ readonly kind: 'sent' } | { readonly kind: 'not-now' | 'refused'; readonly reason: string }>;

/** One page of a server's members, ordered by id; `after`: where the next page begins, null: this is the last. Throws Unavailable. */
export type ReadGuildMembers = (
  guildId: string,
  after: string | null,
) => Promise<{
  readonly members: readonly {
    readonly userId: string;
    /** Cleaned. */
    readonly displayName: string;
    readonly isBot: boolean;
    readonly roleIds: readonly string[];
  }[];
  readonly after: string | null;
}>;

/** The result of a request to Discord. `sentence` is for people, with the exact fix where there is one. */
export type PlatformOutcome =
  | { readonly kind: 'done' }
  /** Discord would refuse every retry too; `code` is a stable kebab-case code of ours. */
  | {
      readonly kind: 'refused';
      readonly code:
        'missing-permission' | 'unknown-role' | 'unknown-member' | 'unknown-guild' | 'direct-messages-closed' | 'other';
      readonly sentence: string;
    }
  | { readonly kind: 'limited'; readonly retryAfterMs: number };

/**
 * Discord's REST as the role engine uses it. Any copy of the product may call it. Throws Unavailable when it is unknown whether the
 * call took effect. `stop` ends the call.
 */
export interface RolePlatform {
  grantRole(target: RoleOfMember, reason: string, stop?: StopSignal): Promise<PlatformOutcome>;
  removeRole(target: RoleOfMember, reason: string, stop?: StopSignal): Promise<PlatformOutcome>;
  /** Plain text, without pings; `nonce` as in SendToChannel. */
  sendDirectMessage(userId: string, content: string, stop?: StopSignal, nonce?: string): Promise<PlatformOutcome>;
}

type RoleOfMember = Readonly<Record<'guildId' | 'userId' | 'roleId', string>>;
