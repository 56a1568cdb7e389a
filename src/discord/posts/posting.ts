import type { Kysely, Selectable } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Card, Posting, PostState } from '../../payouts/announcements-contract.ts';
import type { DiscordStatusAnswer } from '../contract.ts';
import { forDiscord } from '../roles/rules/role-texts.ts';
import type { GuildStore } from '../servers/guild-store.ts';

interface PostingDeps {
  readonly db: Kysely<Database>;
  readonly guilds: Pick<GuildStore, 'present'>;
  readonly status: () => Promise<Pick<DiscordStatusAnswer['data'], 'state' | 'wanted'>>;
}

/** What the team posts in channels of configured servers: any in which the bot may write. */
export const createDiscordPosting = ({ db, guilds, status }: PostingDeps): Posting => {
  const channels = async () => {
    const configured = (await guilds.present()).filter(({ config }) => config !== null);
    return configured.flatMap((guild) =>
      guild.channels
        .filter(({ canView, canSend }) => canView && canSend)
        .map(({ id, name }) => ({ id, name: `#${name} in ${guild.name}`, guildId: guild.guildId })),
    );
  };
  return {
    places: async () => {
      const trouble = troubleOf(await status());
      return (await channels()).map(({ id, name }) => ({ id, name, trouble }));
    },
    post: async (channelId, card, trx) => {
      const channel = (await channels()).find(({ id }) => id === channelId);
      if (channel === undefined) return null;
      const { id } = await trx
        .insertInto('discordPosts')
        .values({ guildId: channel.guildId, channelId, content: cardText(card) })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    states: async (ids, trx) => {
      if (ids.length === 0) return new Map();
      const rows = await (trx ?? db).selectFrom('discordPosts').selectAll().where('id', 'in', ids).execute();
      return new Map(rows.map((row) => [row.id, stateOf(row)]));
    },
  };
};

function troubleOf({ state, wanted }: Awaited<ReturnType<PostingDeps['status']>>): string | null {
  if (state === 'not-configured') return 'There is no bot token: set DISCORD_BOT_TOKEN and restart the product.';
  return wanted === 'active' ? null : 'The bot is off. Start it first.';
}

const messageMax = 2_000;

/** The link is ours. */
const cardText = ({ sign, headline, lines, link }: Card): string =>
  [`${sign} **${forDiscord(headline)}**`, ...lines.map(forDiscord), `[${forDiscord(link.label)}](${link.url})`]
    .join('\n')
    .slice(0, messageMax);

const states = { pending: 'waiting', sending: 'waiting', sent: 'posted', failed: 'failed' } as const;

const stateOf = (row: Selectable<Database['discordPosts']>): PostState => ({
  placeId: row.channelId,
  state: states[row.state],
  reason: row.reason,
  isDoubtful: row.isDoubtful,
  postedAt: row.state === 'sent' ? row.doneAt : null,
});
