-- What Discord refused one member waited for an admin; now it is tried again by itself.
update discord_member_roles set due_at = clock_timestamp() where wanted is not null and due_at is null;
