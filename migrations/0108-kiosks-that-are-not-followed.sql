-- Somebody sent caps of more kiosks than are followed: what happened in those is not in the ledger.
alter table ledger_readings add column has_left_out_kiosks boolean not null default false;
