-- When anything of the treasury's past was last read; it is the only age of a first reading that has not ended.
alter table ledger_readings add column read_at timestamptz not null default now();
