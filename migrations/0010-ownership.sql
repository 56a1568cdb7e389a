-- What was learned of the chain on the way and never changes or is cheap to check again, so that one owner table of a collection
-- (rulings R5) costs a handful of requests. Never the answer to a question by itself: the chain is asked each time.

-- Caps that open kiosks: which object proves that a kiosk is somebody's. Who holds the cap is read anew each time.
create table kiosk_caps (
  network text not null,
  cap_id text not null,
  kiosk_id text not null,
  cap_kind text not null check (cap_kind in ('kiosk-owner-cap', 'personal-kiosk-cap', 'origin-byte-owner-token')),
  learned_at timestamptz not null default clock_timestamp(),
  primary key (network, cap_id)
);
create index kiosk_caps_of_kiosk on kiosk_caps (network, kiosk_id);

-- The dynamic field through which an object owns another: its id is derived from its parent, so this never changes.
create table parent_fields (
  network text not null,
  field_id text not null,
  parent_id text not null,
  is_kiosk boolean not null,
  learned_at timestamptz not null default clock_timestamp(),
  primary key (network, field_id)
);
