import type { GeneratedAlways } from 'kysely';

/** Row types of migrations/0004-accounts.sql. int8 travels as a decimal string. */
export interface AuthTables {
  users: {
    id: GeneratedAlways<string>;
    username: string;
    username_key: string;
    password_hash: string;
    is_admin: boolean;
    created_at: Date;
    updated_at: Date;
  };
  sessions: {
    token_hash: Uint8Array;
    user_id: string;
    created_at: Date;
    last_seen_at: Date;
    idle_expires_at: Date;
    expires_at: Date;
  };
  login_attempts: {
    key: Uint8Array;
    attempts: number;
    window_ends_at: Date;
  };
}
