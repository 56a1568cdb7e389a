import { describe, expect, it } from 'vitest';

import { type PurgedTable, retention } from '../../src/retention/retention.ts';
import { purgeAll } from '../support/purge-all.ts';
import { ago, retentionGround } from '../support/retention-ground.ts';
import { stays } from '../support/what-stays.ts';

/** Retention (docs/decisions/0022): every table has a rule, and old rows are deleted. */
const { database, purges, rows, idsIn } = retentionGround();

describe('Every table', () => {
  it('has a rule that says how long its rows are kept', async () => {
    const tables = await rows<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    );
    expect(tables.map(({ name }) => name)).toEqual([...Object.keys(retention), ...Object.keys(stays)].toSorted());
  });

  it('whose rows are deleted has exactly one purge', () => {
    expect(
      purges()
        .map(({ table }) => table)
        .toSorted(),
    ).toEqual(Object.keys(retention).toSorted());
  });
});

/** Inserts a row whose retention began at `time`: once just long enough ago, and once not quite. */
const simple: readonly {
  readonly table: PurgedTable;
  readonly id: string;
  readonly insert: (id: string, time: string) => string;
}[] = [
  {
    table: 'audit_entries',
    id: 'subject_id',
    insert: (id, at) =>
      `insert into audit_entries (at, actor_kind, actor_name, action, subject_kind, subject_id, subject_label)
       values (${at}, 'system', 'x', 'x', 'x', '${id}', 'x')`,
  },
  {
    table: 'login_attempts',
    id: "convert_from(key, 'UTF8')",
    insert: (id, at) => `insert into login_attempts values ('${id}', 1, ${at})`,
  },
  {
    table: 'sessions',
    id: "convert_from(token_hash, 'UTF8')",
    insert: (id, at) =>
      `insert into users (username, username_key, password_hash, rights, created_at, updated_at)
         values ('gwen', 'gwen', 'x', 'admin', now(), now()) on conflict do nothing;
       insert into sessions select '${id}', id, now(), now(), ${at}, ${at} from users`,
  },
  {
    table: 'factor_challenges',
    id: "convert_from(token_hash, 'UTF8')",
    insert: (id, at) =>
      `insert into users (username, username_key, password_hash, rights, created_at, updated_at)
         values ('gwen', 'gwen', 'x', 'admin', now(), now()) on conflict do nothing;
       insert into factor_challenges (token_hash, user_id, expires_at) select '${id}', id, ${at} from users`,
  },
  {
    table: 'kiosk_caps',
    id: 'cap_id',
    insert: (id, at) => `insert into kiosk_caps values ('mainnet', '${id}', '0x1', 'kiosk-owner-cap', ${at})`,
  },
  {
    table: 'parent_fields',
    id: 'field_id',
    insert: (id, at) => `insert into parent_fields values ('mainnet', '${id}', '0x1', true, ${at})`,
  },
  {
    table: 'telegram_inbox',
    id: "case update_id when 1 then 'old' else 'young' end",
    insert: (id, at) =>
      `insert into telegram_inbox (update_id, chat_id, update, received_at)
       values (${id === 'old' ? 1 : 2}, 1, '{}', ${at})`,
  },
  {
    table: 'owner_messages',
    id: 'text',
    insert: (id, at) => `insert into owner_messages (text, told_at) values ('${id}', ${at})`,
  },
  {
    table: 'telegram_images',
    id: "convert_from(image_url_hash, 'UTF8')",
    insert: (id, at) =>
      `insert into telegram_images (image_url_hash, file_id, updated_at) values ('${id}', 'x', ${at})`,
  },
  {
    table: 'telegram_chats',
    id: 'title',
    insert: (id, at) =>
      `insert into telegram_chats (chat_id, kind, title, bot_status, removed_at)
       values (${id === 'old' ? -1 : -2}, 'group', '${id}', 'left', ${at})`,
  },
  {
    table: 'telegram_setups',
    id: 'collection_id',
    insert: (id, at) =>
      `insert into telegram_chats (chat_id, kind, title, bot_status) values (${id === 'old' ? -1 : -2}, 'group', 'g', 'member');
       insert into telegram_setups values (${id === 'old' ? -1 : -2}, null, '${id}', '{}', null, ${at})`,
  },
  {
    table: 'discord_verifications',
    id: 'user_id',
    insert: (id, at) =>
      `insert into discord_guilds (guild_id, name) values ('1', 'g') on conflict do nothing;
       insert into discord_verifications (token_hash, guild_id, user_id, display_name, expires_at)
       values ('${id}', '1', '${id}', 'x', ${at})`,
  },
  {
    table: 'discord_removal_batches',
    id: 'decided_by',
    insert: (id, at) =>
      `insert into discord_guilds (guild_id, name) values ('1', 'g') on conflict do nothing;
       insert into discord_removal_batches (guild_id, holder_count, state, decided_at, decided_by)
       values ('1', 12, 'refused', ${at}, '${id}')`,
  },
  {
    table: 'discord_authorized_wallets',
    id: 'reason',
    insert: (id, at) =>
      `insert into discord_guilds (guild_id, name) values ('1', 'g') on conflict do nothing;
       insert into discord_authorized_wallets (guild_id, wallet, reason, added_by, removed_at)
       values ('1', '0x1', '${id}', 'chief', ${at})`,
  },
  {
    table: 'discord_authorized_wallets',
    id: 'reason',
    insert: (id, at) =>
      `insert into discord_guilds (guild_id, name) values ('1', 'g') on conflict do nothing;
       insert into discord_authorized_wallets (guild_id, wallet, reason, added_by, expires_at)
       values ('1', '0x${id}', '${id}', 'chief', ${at})`,
  },
  {
    table: 'discord_posts',
    id: 'content',
    insert: (id, at) =>
      `insert into discord_guilds (guild_id, name) values ('1', 'g') on conflict do nothing;
       insert into discord_posts (guild_id, channel_id, content, state, done_at) values ('1', '2', '${id}', 'sent', ${at})`,
  },
  {
    table: 'discord_member_roles',
    id: 'user_id',
    insert: (id, at) =>
      `insert into discord_guilds (guild_id, name) values ('1', 'g') on conflict do nothing;
       insert into discord_member_roles (guild_id, user_id, role_id, wanted, cause, failure, changed_at)
       values ('1', '${id}', '2', 'remove-role', 'data-deleted', 'Drag it.', ${at})`,
  },
  {
    table: 'discord_direct_messages',
    id: 'user_id',
    insert: (id, at) => `insert into discord_direct_messages (payout, user_id, told_at) values (1, '${id}', ${at})`,
  },
  {
    table: 'discord_guilds',
    id: 'name',
    insert: (id, at) => `insert into discord_guilds (guild_id, name, left_at) values ('${id}', '${id}', ${at})`,
  },
];

describe('An expired row is deleted, and one that expires in a minute stays', () => {
  it.each(simple)('$table', async ({ table, id, insert }) => {
    const { days } = retention[table];
    await database().pool.query(insert('old', `${ago(days)} - interval '1 minute'`));
    await database().pool.query(insert('young', `${ago(days)} + interval '1 minute'`));
    await purgeAll(purges());
    expect(await idsIn(table, id)).toEqual(['young']);
  });
});
