-- What is kept how long (src/shared/retention.ts): when each table was last purged to the end, and how many rows went so far.
create table purge_runs (
  table_name text primary key,
  succeeded_at timestamptz not null,
  purged_rows bigint not null default 0
);

-- What is old is looked for again and again, and must be found without reading what is young.
create index activity_events_by_known on activity_events (known_at);
create index kiosk_caps_learned on kiosk_caps (learned_at);
create index parent_fields_learned on parent_fields (learned_at);
create index telegram_images_updated on telegram_images (updated_at);
create index telegram_told_at on telegram_told (told_at);
create index telegram_inbox_received on telegram_inbox (received_at);
create index treasury_history_by_hour on treasury_history (hour);
