import {
  ago,
  ahead,
  chatId,
  digest,
  guildId,
  memberId,
  oddText,
  type Row,
  treasuryAddress,
  wallet,
} from './kept-row-values.ts';
import { rocks } from './treasury-reading.ts';

const roles = [{ id: '9000000000000000003', name: 'Rock Holder', position: 1, isManaged: false, permissions: '0' }];
const findings = { nftType: rocks, unknownSince: null, wallets: [] };

/** Rows of the Telegram bot's tables, see kept-rows.ts. */
export const telegramRows: readonly (readonly [table: string, row: Row])[] = [
  [
    'telegram_service',
    {
      only_row: true,
      wanted: 'inactive',
      state: 'inactive',
      state_since: ago(5),
      bot_id: '7000000001',
      bot_username: 'SuiRocksBot',
    },
  ],
  [
    'telegram_chats',
    {
      chat_id: chatId,
      kind: 'supergroup',
      title: oddText,
      bot_status: 'administrator',
      created_at: ago(90),
    },
  ],
  [
    'telegram_configurations',
    {
      id: 31,
      chat_id: chatId,
      tracked_collection_id: 3,
      collection_id: rocks,
      collection_name: 'Rocks',
      max_supply: 555,
      minted_count: 200,
      min_price_mist: '1000000000',
      version: 4,
      created_by: 'Ogg',
    },
  ],
  [
    'telegram_messages',
    {
      id: 41,
      chat_id: chatId,
      configuration_id: 31,
      kind: 'card',
      content: { html: '<b>Sold</b>', imageUrl: null, buttons: [], isSilent: false },
      state: 'sent',
      attempts: 1,
      created_at: ago(2),
      platform_message_id: 501,
      sent_at: ago(1),
    },
  ],
  ['telegram_deliveries', { chat_id: chatId, event_id: 21, message_id: 41 }],
  ['telegram_images', { image_url_hash: digest('image'), file_id: 'AgAC' }],
  [
    'telegram_setups',
    {
      chat_id: chatId,
      // The column up to migration 0110.
      started_by: 5,
      collection_id: rocks,
      found: { name: 'Rocks' },
      // The column up to migration 0109.
      step: 'confirm-supply',
      expires_at: ahead(1),
    },
  ],
  ['telegram_inbox', { update_id: 601, chat_id: chatId, handled_at: ago(1), attempts: 1 }],
];

/** Rows of the Discord bot's tables. */
export const discordRows: readonly (readonly [table: string, row: Row])[] = [
  [
    'discord_service',
    {
      only_row: true,
      wanted: 'inactive',
      state: 'inactive',
      state_since: ago(5),
      bot_id: '8000000000000000001',
      bot_username: 'Rocks',
    },
  ],
  [
    'discord_guilds',
    {
      guild_id: guildId,
      name: oddText,
      member_count: 12,
      roles: JSON.stringify(roles),
      channels: '[]',
      bot_permissions: '8',
      bot_top_position: 5,
    },
  ],
  [
    'discord_guild_configs',
    {
      guild_id: guildId,
      role_id: roles[0]?.id,
      nft_contract: rocks,
      nft_name: 'Rocks',
      tracked_collection_id: 3,
      version: 2,
      updated_by: 'Ogg',
      last_sweep_at: ago(1),
      sweep_due_at: ahead(1),
    },
  ],
  [
    'discord_members',
    {
      guild_id: guildId,
      user_id: memberId,
      display_name: oddText,
      has_role: true,
      // The column up to migration 0083, and the one since then.
      standing: 'holder',
      role_state: 'holder',
      answer: 'holds',
      answered_at: ago(1),
      explanation: findings,
      payout_messages_since: ago(9),
    },
  ],
  ['discord_direct_messages', { id: 91, payout: 3, user_id: memberId, guild_id: guildId, told_at: ago(2) }],
  [
    'discord_posts',
    { id: 81, guild_id: guildId, channel_id: '9000000000000000004', content: oddText, state: 'sent', done_at: ago(2) },
  ],
  ['discord_wallets', { guild_id: guildId, wallet, user_id: memberId, scheme: 'ed25519', linked_at: ago(40) }],
  [
    'discord_verifications',
    {
      token_hash: digest('link'),
      guild_id: guildId,
      user_id: memberId,
      display_name: 'Gwen',
      user_name: 'gwen',
      expires_at: ahead(1),
    },
  ],
  [
    'discord_authorized_wallets',
    { id: 51, guild_id: guildId, wallet: treasuryAddress, reason: oddText, added_by: 'Ogg', added_at: ago(3) },
  ],
  [
    'discord_removal_batches',
    {
      id: 61,
      guild_id: guildId,
      removal_count: 12,
      holder_count: 40,
      state: 'refused',
      decided_at: ago(4),
      decided_by: 'Ogg',
    },
  ],
  [
    'discord_member_roles',
    { id: 71, guild_id: guildId, user_id: memberId, role_id: roles[0]?.id, given_at: ago(3), cause: 'verified' },
  ],
];
