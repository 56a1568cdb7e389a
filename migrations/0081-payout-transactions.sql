-- Transactions that were handed out to pay a payout (rulings R9). They are kept for ever: what became of one is the chain's to say, and a copy of
-- it with another address in it is recognised by it.
create table payout_transactions (
  id integer generated always as identity primary key,
  network text not null,
  treasury_address text not null,
  payout integer not null references payouts (id),
  digest text not null unique,
  -- What is signed: BCS of the transaction data.
  bytes bytea not null,
  -- Places in the plan's lines, ascending.
  lines integer[] not null,
  -- [{objectId, version}]: the coin objects that it spends. The first one chains it with the others.
  objects jsonb not null,
  chain_id text,
  -- The newest checkpoint before it was built.
  built_checkpoint bigint not null,
  expires_epoch bigint not null,
  gas_budget_mist numeric not null,
  -- As simulated.
  gas_mist numeric not null,
  built_at timestamptz not null default now(),
  built_by text not null,
  -- Written when it is certain, and then never again.
  state text not null default 'waiting' check (state in ('waiting', 'executed', 'failed', 'expired', 'spent')),
  executed_at timestamptz
);
-- While one may still be executed there is no other one.
create unique index payout_transaction_waiting on payout_transactions (network, treasury_address) where state = 'waiting';
create index payout_transactions_of_treasury on payout_transactions (network, treasury_address, id);
