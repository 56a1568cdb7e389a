-- Payouts to the holders of rocks (rulings R9), from the draft on. What became of them is the chain's to say, and stands nowhere here.
create table payouts (
  id integer generated always as identity primary key,
  network text not null,
  treasury_address text not null,
  title text not null,
  reason text not null,
  coin_type text not null,
  amount_mode text not null check (amount_mode in ('total', 'per-rock')),
  -- Base units.
  amount_raw numeric not null check (amount_raw > 0),
  -- [{address, reason}], beside the treasury itself.
  left_out jsonb not null default '[]',
  -- Null: no snapshot is being read.
  snapshot_asked_at timestamptz,
  -- Why the last one came to nothing, as a sentence.
  snapshot_problem text,
  -- Canonical JSON and its hash: of a draft what would be published.
  plan text,
  sha256 text,
  published_at timestamptz,
  published_by text,
  withdrawn_at timestamptz,
  withdrawn_by text,
  withdrawn_reason text,
  updated_at timestamptz not null default now(),
  updated_by text not null,
  check ((plan is null) = (sha256 is null)),
  check (published_at is null or plan is not null),
  check (withdrawn_at is null or published_at is not null)
);
create index payouts_of_treasury on payouts (network, treasury_address, id);
