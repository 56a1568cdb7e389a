-- What somebody mistyped as their name at a login may be a password. Names that are somebody's now are that user's; the others go.
update audit_entries e set subject_kind = 'user', subject_id = u.id::text, subject_label = u.username
  from users u where e.subject_kind = 'username' and u.username_key = e.subject_id;
update audit_entries set subject_id = 'unknown name', subject_label = 'unknown name' where subject_kind = 'username';
