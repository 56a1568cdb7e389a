-- Everybody in doubt is counted each time the removals of a server are decided (rulings R5, the brake).
create index discord_members_in_doubt on discord_members (guild_id) where standing = 'doubt';
