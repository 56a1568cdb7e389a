-- Collections whose activity cannot be read, longest first: few, and looked for every few seconds.
create index tracked_collections_failing on tracked_collections (failing_since) where failing_since is not null;
