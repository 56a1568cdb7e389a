import type { ColumnType, Generated } from 'kysely';

import type { MemberStanding } from '../core/standing.ts';

/** int8 travels as decimal strings. */
type NullableInt8 = ColumnType<
  string | null,
  string | bigint | number | null | undefined,
  string | bigint | number | null
>;
type Json<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
type Answer = 'holds' | 'does-not-hold' | 'unknown';

/** As the gateway described it. Names are text of strangers. */
interface StoredRole {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  /** Of an integration or of boosters: nobody can give it. */
  readonly isManaged: boolean;
}
interface StoredChannel {
  readonly id: string;
  readonly name: string;
  readonly canView: boolean;
  readonly canSend: boolean;
}

/** Row types of migrations/0011-discord.sql. */
export interface DiscordTables {
  discord_service: {
    only_row: Generated<boolean>;
    wanted: 'active' | 'inactive';
    state: 'inactive' | 'starting' | 'active' | 'failing';
    state_since: Date;
    bot_id: string | null;
    bot_username: string | null;
    last_error: string | null;
    last_error_at: Date | null;
  };
  discord_guilds: {
    guild_id: string;
    name: string;
    owner_id: string | null;
    member_count: number | null;
    roles: Json<readonly StoredRole[]>;
    channels: Json<readonly StoredChannel[]>;
    bot_permissions: Generated<string>;
    bot_top_position: Generated<number>;
    joined_at: Generated<Date>;
    left_at: Date | null;
    /** Since when Discord reports an outage of it. */
    unavailable_since: Date | null;
    updated_at: Generated<Date>;
  };
  discord_guild_configs: {
    guild_id: string;
    role_id: Generated<string>;
    channel_id: string | null;
    nft_contract: string;
    nft_name: string;
    grace_minutes: Generated<number>;
    panel_channel_id: string | null;
    panel_message_id: string | null;
    /** Since when it is known to be deleted (migrations/0028-deleted-panels.sql). */
    panel_gone_at: Date | null;
    tracked_collection_id: NullableInt8;
    version: Generated<number>;
    updated_by: string;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    sweep_due_at: Generated<Date>;
    last_sweep_at: Date | null;
    last_sweep: NullableJson<SweepRow>;
  };
  discord_members: {
    guild_id: string;
    user_id: string;
    display_name: string;
    is_in_guild: Generated<boolean>;
    has_role: boolean | null;
    standing: Generated<MemberStanding>;
    first_no_at: Date | null;
    second_no_at: Date | null;
    removal_due_at: Date | null;
    answer: Answer | null;
    answered_at: Date | null;
    explanation: NullableJson<unknown>;
    check_due_at: Date | null;
    check_cause: string | null;
    created_at: Generated<Date>;
  };
  discord_wallets: { guild_id: string; wallet: string; user_id: string; scheme: string; linked_at: Generated<Date> };
  discord_verifications: {
    token_hash: Buffer;
    guild_id: string;
    user_id: string;
    display_name: string;
    user_name: string | null;
    expires_at: Date;
    wallet: string | null;
    message: string | null;
    attempts: Generated<number>;
    state: Generated<'open' | 'verifying' | 'used' | 'closed'>;
    created_at: Generated<Date>;
  };
  discord_authorized_wallets: {
    id: Generated<string>;
    guild_id: string;
    wallet: string;
    reason: string;
    expires_at: Date | null;
    added_by: string;
    added_at: Generated<Date>;
    removed_by: string | null;
    removed_at: Date | null;
  };
  discord_removal_batches: {
    id: Generated<string>;
    guild_id: string;
    removal_count: number;
    holder_count: number;
    state: Generated<'waiting' | 'approved' | 'refused' | 'obsolete'>;
    created_at: Generated<Date>;
    decided_at: Date | null;
    decided_by: string | null;
  };
  discord_actions: {
    id: Generated<string>;
    guild_id: string;
    user_id: string;
    kind: 'grant-role' | 'remove-role' | 'direct-message';
    role_id: string | null;
    content: string | null;
    cause: string;
    state: Generated<'pending' | 'doing' | 'done' | 'failed' | 'dropped'>;
    attempts: Generated<number>;
    due_at: Generated<Date>;
    failure: string | null;
    /** Of a refusal (migrations/0012-discord-role-work.sql). */
    failure_code: string | null;
    created_at: Generated<Date>;
    done_at: Date | null;
  };
}

export interface SweepRow {
  readonly checked: number;
  readonly holding: number;
  readonly notHolding: number;
  readonly unknown: number;
  readonly durationMs: number;
  /** A stable code, when it ended early. */
  readonly failure: string | null;
  /** Since when it ends early (ISO): the longer, the longer the pause. */
  readonly failingSince?: string | null;
}
