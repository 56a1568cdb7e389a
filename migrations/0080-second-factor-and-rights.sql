-- What an account may do in the admin area (docs/decisions/0039); null: it may not enter. It takes the place of is_admin.
alter table users
  add column rights text check (rights = any (array['admin', 'treasurer', 'operator'])),
  add column last_signed_in_at timestamptz;
update users set rights = 'admin' where is_admin;
alter table users drop column is_admin;

alter table sessions
  -- What its owner and the admins call it by: the hash of its token is nobody's business.
  add column id bigint generated always as identity unique,
  -- In words, 'Firefox on Linux'; null: it did not say.
  add column browser text,
  -- When a second factor was last asked for and given; null: never in this session.
  add column confirmed_at timestamptz;

-- A passkey, or an authenticator app that shows codes.
create table second_factors (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind = any (array['passkey', 'authenticator'])),
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- Of a passkey.
  credential_id text unique,
  public_key bytea,
  counter bigint,
  transports text[],
  -- Of an authenticator app: its secret under a key that is made of SESSION_SECRET, and the 30 seconds whose code was used last.
  sealed_secret bytea,
  last_step bigint,
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null and counter is not null and transports is not null)),
  check ((kind = 'authenticator') = (sealed_secret is not null and last_step is not null))
);
create index second_factors_of_user on second_factors (user_id);

create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  -- The first four letters of the code, by which it is found.
  handle text not null,
  -- The rest, hashed as a password is. A used one is deleted.
  code_hash text not null,
  primary key (user_id, handle)
);

-- What was asked of a browser and is not answered yet: a second factor, or the proof that a new one works.
create table factor_challenges (
  -- HMAC-SHA256 under SESSION_SECRET of what the browser holds, and of what it is for.
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  -- What a passkey is to sign.
  passkey_challenge text,
  -- Of an authenticator app that is being added.
  sealed_secret bytea,
  attempts integer not null default 0,
  expires_at timestamptz not null
);
create index factor_challenges_of_user on factor_challenges (user_id);
create index factor_challenges_over on factor_challenges (expires_at);
