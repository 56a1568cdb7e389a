import type { Kysely, Selectable } from 'kysely';
import { databaseNow, databaseNowPlus, statementBegun } from '../db/expressions.ts';
import type { Database } from '../db/schema.ts';
import type { JobDefinition } from '../jobs/jobs.ts';
import type { Logger } from '../process/logger.ts';
import { Unavailable } from '../shared/failure.ts';
import type { SendToChannel } from './ports.ts';
import { channelPosts } from './roles/role-jobs.ts';
import type { Card, Posting, PostState } from '../payouts/payouts-contract.ts';
import type { DiscordStatusAnswer } from './contract.ts';
import { isSwitchedOn } from './roles/member-roles.ts';
import { forDiscord, linesWithin, plainForDiscord } from './bot-texts.ts';
import { createGuildStore } from './servers/guild-store.ts';

interface ChannelPostDeps {
  readonly db: Kysely<Database>;
  readonly sendToChannel: SendToChannel;
  /** Throws when another bot's token is set: Discord would refuse it everywhere. */
  readonly checkBot: () => Promise<unknown>;
  readonly log: Pick<Logger, 'warn'>;
}

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

/**
 * Sends the messages in discord_posts. Each is marked before it is sent, as in Telegram's outbox (docs/decisions/0014): if the answer is
 * lost or the copy dies, it is sent once more with the same nonce, for which Discord posts no second message within some minutes.
 */
export const channelPostJob = (deps: ChannelPostDeps): JobDefinition<{ id: string }> => ({
  ...channelPosts,
  atOnce: 4,
  failing: 'Messages could not be posted in channels',
  run: async ({ id }) => {
    const begun = await begin(deps.db, id);
    if (begun !== null) await settle(deps.db, begun, await send(deps, begun));
  },
});

type Begun = NonNullable<Awaited<ReturnType<typeof begin>>>;

/** null: it is posted already, or cannot be posted now. */
async function begin(db: Kysely<Database>, id: string) {
  const row = await db
    .updateTable('discordPosts')
    .set((eb) => ({
      state: 'sending',
      attempts: eb('attempts', '+', 1),
      // An earlier attempt did not finish: Discord may have posted it.
      isDoubtful: eb.or([eb.ref('isDoubtful'), eb('state', '=', 'sending')]).$castTo<boolean>(),
    }))
    .where('id', '=', id)
    .where('state', 'in', ['pending', 'sending'])
    .where('dueAt', '<=', databaseNow)
    .where(isSwitchedOn)
    .returning(['id', 'channelId', 'content', 'attempts', 'isDoubtful'])
    .executeTakeFirst();
  return row ?? null;
}

type End = { readonly kind: 'sent' } | { readonly kind: 'not-now' | 'refused' | 'unanswered'; readonly reason: string };

async function send(
  { sendToChannel, checkBot, log }: ChannelPostDeps,
  { id, channelId, content }: Begun,
): Promise<End> {
  try {
    await checkBot();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { kind: 'not-now', reason: 'This server has a different bot from the one running now.' };
  }
  try {
    // A nonce has at most 25 characters (Discord's documentation, Create Message).
    return await sendToChannel(channelId, content, `post ${id}`);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ err: error, channelId }, 'Discord did not say whether it posted a message');
    return { kind: 'unanswered', reason: 'Discord did not answer.' };
  }
}

async function settle(db: Kysely<Database>, { id, attempts, isDoubtful }: Begun, end: End): Promise<void> {
  const posts = db.updateTable('discordPosts').where('id', '=', id).where('attempts', '=', attempts);
  if (end.kind === 'sent') {
    await posts.set({ state: 'sent', reason: null, doneAt: databaseNow }).execute();
    return;
  }
  const { kind, reason } = end;
  // One that was dropped meanwhile stays dropped.
  const unsent = posts.where('state', '=', 'sending');
  // If Discord accepts requests but never answers, two attempts are enough.
  if (kind === 'refused' || (kind === 'unanswered' && isDoubtful)) {
    await unsent.set({ state: 'failed', reason, doneAt: databaseNow }).execute();
    return;
  }
  const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempts - 1, 20));
  await unsent
    .set({
      state: 'pending',
      reason,
      isDoubtful: isDoubtful || kind === 'unanswered',
      dueAt: databaseNowPlus(delayMs),
    })
    .execute();
}

/** Due posts, also for servers that the bot has left: Discord refuses those, so that they do not wait for the bot's return. */
export const duePosts = (db: Kysely<Database>) =>
  db
    .selectFrom('discordPosts')
    .select('id')
    .where('state', 'in', ['pending', 'sending'])
    .where('dueAt', '<=', statementBegun)
    .orderBy('id')
    .limit(100)
    .execute();

/** Sends text to a channel as it was written, bypassing the jobs. */
export const createTextSender =
  (sendToChannel: SendToChannel) =>
  (channelId: string, text: string): ReturnType<SendToChannel> =>
    sendToChannel(channelId, plainForDiscord(text));

interface PostingDeps {
  readonly db: Kysely<Database>;
  readonly status: () => Promise<Pick<DiscordStatusAnswer, 'state' | 'wanted'>>;
}

/** Lets the team post in configured servers, in any channel where the bot may write. */
export const createDiscordPosting = ({ db, status }: PostingDeps): Posting => {
  const channels = async (through: Kysely<Database>) => {
    const configured = (await createGuildStore(through).present()).filter(({ config }) => config !== null);
    return configured.flatMap((guild) =>
      guild.channels
        .filter(({ canView, canSend }) => canView && canSend)
        .map(({ id, name }) => ({ id, name: `#${name} in ${guild.name}`, guildId: guild.guildId })),
    );
  };
  return {
    places: async () => {
      const trouble = troubleOf(await status());
      return (await channels(db)).map(({ id, name }) => ({ id, name, trouble }));
    },
    post: async (channelId, card, trx) => {
      const channel = (await channels(trx)).find(({ id }) => id === channelId);
      if (channel === undefined) return null;
      const { id } = await trx
        .insertInto('discordPosts')
        .values({ guildId: channel.guildId, channelId, content: cardText(card) })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    drop: async (ids, reason, trx) => {
      const waiting = trx.selectFrom('discordPosts').select('id').where('id', 'in', ids);
      await trx
        .updateTable('discordPosts')
        .set({ state: 'failed', reason, doneAt: databaseNow })
        .where('id', 'in', waiting.where('state', 'in', ['pending', 'sending']).orderBy('id').forNoKeyUpdate())
        .execute();
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

/** The link is ours, so it is not escaped. */
const cardText = ({ sign, headline, lines, link }: Card): string =>
  linesWithin(
    [`${sign} **${forDiscord(headline)}**`, ...lines.map(forDiscord)],
    [`[${forDiscord(link.label)}](${link.url})`],
  );

const states = { pending: 'waiting', sending: 'waiting', sent: 'posted', failed: 'failed' } as const;

const stateOf = (row: Selectable<Database['discordPosts']>): PostState => ({
  placeId: row.channelId,
  state: states[row.state],
  reason: row.reason,
  isDoubtful: row.isDoubtful,
  postedAt: row.state === 'sent' ? row.doneAt : null,
});
