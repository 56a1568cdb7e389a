-- Polls of collections are jobs (docs/decisions/0030): when the next one is due and which copy reads is the engine's to know.
drop index tracked_collections_due;
alter table tracked_collections
  drop column poll_due_at,
  drop column claimed_by,
  drop column claim_token,
  drop column claimed_until;
-- The one that was read longest ago.
create index tracked_collections_checked on tracked_collections (last_checked_at);
