import type { HoldingAnswer, NftTypeAnswer } from '../market/contract.ts';

export type { AuditTrail } from '../audit/contract.ts';
export type { Clock } from '../shared/clock.ts';

/** Always an AbortSignal, which pure code cannot name; methods may therefore declare the parameter as one. */
interface StopSignal {
  readonly aborted: boolean;
}

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

/** Plain text to one channel, without pings. Throws Unavailable when it is unknown whether it arrived. */
export interface ChannelVoice {
  /** `not-now`: it certainly did not arrive; `refused`: it will not, until a person changes something. */
  say(
    channelId: string,
    content: string,
  ): Promise<{ readonly kind: 'said' } | { readonly kind: 'not-now' | 'refused'; readonly reason: string }>;
}

/**
 * Whether the wallet has signed the text. Throws Unavailable when that needs the chain (zkLogin) and it cannot be asked: an outage
 * is not a bad signature.
 */
export interface SignatureCheck {
  verify(
    signed: { readonly message: string; readonly signature: string; readonly wallet: string },
    stop?: StopSignal,
  ): Promise<
    | { readonly kind: 'valid'; readonly scheme: string }
    | { readonly kind: 'invalid'; readonly problem: 'malformed' | 'not-this-wallet-or-message' }
  >;
}

/** One page of a server's members, by their ids; `after`: where the next begins, null: it was the last. Throws Unavailable. */
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
  /** Discord refuses it, however often asked; `code` is a stable kebab-case code of ours. */
  | {
      readonly kind: 'refused';
      readonly code:
        | 'missing-permission'
        | 'role-too-high'
        | 'unknown-role'
        | 'unknown-member'
        | 'unknown-guild'
        | 'direct-messages-closed'
        | 'other';
      readonly sentence: string;
    }
  | { readonly kind: 'limited'; readonly retryAfterMs: number };

/**
 * Discord's REST as the role engine uses it. Any copy of the product may call it. Throws Unavailable when it is unknown whether the
 * call took effect. `stop` ends the call.
 */
export interface RolePlatform {
  grantRole(
    target: { readonly guildId: string; readonly userId: string; readonly roleId: string },
    reason: string,
    stop?: StopSignal,
  ): Promise<PlatformOutcome>;
  removeRole(
    target: { readonly guildId: string; readonly userId: string; readonly roleId: string },
    reason: string,
    stop?: StopSignal,
  ): Promise<PlatformOutcome>;
  /** Plain text, without pings. */
  sendDirectMessage(userId: string, content: string, stop?: StopSignal): Promise<PlatformOutcome>;
}
