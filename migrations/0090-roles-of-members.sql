-- What each member's role is to become, one row for each role of a member, instead of a queue of actions (rulings R7).
create table discord_member_roles (
  id bigint generated always as identity primary key,
  guild_id text not null references discord_guilds,
  user_id text not null,
  role_id text not null,
  -- When the bot last gave it, or began to; null: it has not.
  given_at timestamptz,
  -- null: it is as it is to be.
  wanted text check (wanted in ('grant-role', 'remove-role')),
  -- 'verified', 'bought', 'sweep', 'sold', 'approved', 'data-deleted', …
  cause text,
  -- null while something is wanted: Discord refused it, until a person changes something.
  due_at timestamptz,
  -- Why it failed or waits, as a sentence with the exact fix.
  failure text,
  -- When it was last wanted, or since when it fails so; of what a deletion owes: when that was.
  changed_at timestamptz not null default clock_timestamp(),
  unique (guild_id, user_id, role_id)
);
create index discord_member_roles_due on discord_member_roles (guild_id, due_at, id) where due_at is not null;
create index discord_member_roles_owed on discord_member_roles (changed_at) where cause = 'data-deleted';
create index discord_member_roles_failed on discord_member_roles (guild_id) where failure is not null;

-- When the bot last took the role, unless an admin approved it: counted by the brake.
alter table discord_members add column role_taken_at timestamptz;

alter table discord_guilds
  -- Until then no role of the server is changed: Discord refuses all of it, does not answer, or asks for a pause.
  add column roles_paused_until timestamptz,
  -- A sentence; null: only a pause that Discord asks for.
  add column roles_pause_reason text,
  -- null: Discord answers.
  add column roles_unanswered_since timestamptz;

-- Direct messages: one about each payout, and the last one before a removal (`payout` null). The text goes once it is over.
alter table discord_payout_messages rename to discord_direct_messages;
alter table discord_direct_messages
  drop constraint discord_payout_messages_pkey,
  add column id bigint generated always as identity primary key,
  alter column payout drop not null,
  add column guild_id text,
  add column content text,
  -- null: it is over.
  add column due_at timestamptz,
  -- A stable code: why it did not arrive.
  add column failure text;
create unique index discord_direct_messages_of_payout on discord_direct_messages (payout, user_id);
create unique index discord_direct_messages_notice on discord_direct_messages (guild_id, user_id) where payout is null;
create index discord_direct_messages_due on discord_direct_messages (guild_id, due_at) where due_at is not null;
alter index discord_payout_messages_of_member rename to discord_direct_messages_of_member;
alter index discord_payout_messages_told rename to discord_direct_messages_told;

with newest as (
  select distinct on (guild_id, user_id, role_id) * from discord_actions
  where kind in ('grant-role', 'remove-role') and role_id is not null and state <> 'dropped'
  order by guild_id, user_id, role_id, id desc
), last_done as (
  select distinct on (guild_id, user_id, role_id) guild_id, user_id, role_id, kind, done_at from discord_actions
  where kind in ('grant-role', 'remove-role') and role_id is not null and state = 'done'
  order by guild_id, user_id, role_id, id desc
)
insert into discord_member_roles (guild_id, user_id, role_id, given_at, wanted, cause, due_at, failure, changed_at)
select n.guild_id, n.user_id, n.role_id,
  case when n.kind = 'grant-role' and n.state = 'doing' then n.created_at when d.kind = 'grant-role' then d.done_at end,
  case when n.state <> 'done' then n.kind end,
  n.cause,
  case
    when n.state in ('pending', 'doing') then n.due_at
    -- Until somebody changed something in the server; from now on the server is tried again by itself.
    when n.state = 'failed' and n.failure_code in ('missing-permission', 'role-too-high', 'unknown-role', 'unknown-guild')
      then clock_timestamp()
  end,
  case when n.state = 'failed' then n.failure end,
  n.created_at
from newest n left join last_done d using (guild_id, user_id, role_id)
where n.state <> 'done' or d.kind = 'grant-role';

-- What was done went after 90 days: those with a claim to the chosen role got it from the bot.
insert into discord_member_roles as r (guild_id, user_id, role_id, given_at)
select m.guild_id, m.user_id, c.role_id, clock_timestamp()
from discord_members m join discord_guild_configs c using (guild_id)
where m.has_role and m.role_state <> 'none' and c.role_id <> ''
on conflict (guild_id, user_id, role_id) do update set given_at = coalesce(r.given_at, excluded.given_at);

insert into discord_direct_messages (guild_id, user_id, told_at, content, due_at, failure)
select distinct on (guild_id, user_id) guild_id, user_id, created_at,
  case when state in ('pending', 'doing') then content end,
  case when state in ('pending', 'doing') then due_at end,
  case when state = 'dropped' then failure when state = 'failed' then 'direct-message-failed' end
from discord_actions where kind = 'direct-message' and cause <> 'payout-paid' order by guild_id, user_id, id desc;

update discord_members m set role_taken_at = a.taken_at
from (
  select guild_id, user_id, max(done_at) as taken_at from discord_actions
  where kind = 'remove-role' and state = 'done' and cause not in ('approved', 'data-deleted') group by guild_id, user_id
) a
where a.guild_id = m.guild_id and a.user_id = m.user_id;

-- Both were written in one transaction.
update discord_direct_messages t set guild_id = a.guild_id, content = a.content, due_at = a.due_at
from discord_actions a
where a.cause = 'payout-paid' and a.state in ('pending', 'doing') and a.user_id = t.user_id
  and abs(extract(epoch from t.told_at - a.created_at)) < 10;

drop table discord_actions;
