create table users (
  id bigint generated always as identity primary key,
  -- As it was given; two names that differ only in case or in the way they are typed are one (src/auth/core/username.ts).
  username text not null check (char_length(username) between 2 and 64),
  username_key text not null unique,
  -- argon2id in the PHC format, salt and costs included.
  password_hash text not null,
  is_admin boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- One row per browser that is signed in. The token itself is in that browser's cookie alone.
create table sessions (
  -- HMAC-SHA256 of the token under SESSION_SECRET: a copy of this table opens nothing.
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Never later than `expires_at`, so that this column alone says what is over.
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  check (idle_expires_at <= expires_at)
);
create index sessions_of_user on sessions (user_id, created_at);
create index sessions_over on sessions (idle_expires_at);

-- How often somebody tried to sign in: by device, by address, by account at an address, by account (docs/decisions/0012).
create table login_attempts (
  -- HMAC-SHA256 under SESSION_SECRET: neither addresses nor mistyped names are kept.
  key bytea primary key,
  attempts integer not null,
  window_ends_at timestamptz not null
);
create index login_attempts_over on login_attempts (window_ends_at);

-- Who changed what: written in the transaction of the change itself, never changed afterwards.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null check (actor_kind in ('admin', 'user', 'telegram', 'system', 'command')),
  -- Without a foreign key: an entry outlives the user it names.
  actor_id text,
  actor_name text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  subject_label text not null,
  before jsonb,
  after jsonb
);
-- The filters of the 'Activity' tab: the beginning of a word, in any case.
create index audit_entries_of_action on audit_entries (action text_pattern_ops, id desc);
create index audit_entries_of_actor on audit_entries (lower(actor_name) text_pattern_ops, id desc);
create index audit_entries_of_subject on audit_entries (subject_id, id desc);
create index audit_entries_of_label on audit_entries (lower(subject_label) text_pattern_ops, id desc);
create index audit_entries_at on audit_entries (at);
