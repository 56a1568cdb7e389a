-- Whoever has their data deleted is looked for in the log of changes: by what they did, and in lists of many members. Entries
-- about them alone are found by audit_entries_of_subject. Only this changes entries afterwards (docs/decisions/0021).
create index audit_entries_of_person on audit_entries (actor_id, subject_id) where actor_id is not null;
create index audit_entries_listing_members on audit_entries (subject_id) where jsonb_typeof(after -> 'members') = 'array';
