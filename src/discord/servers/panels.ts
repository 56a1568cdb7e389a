import { ButtonStyle, DiscordAPIError, type Guild, RESTJSONErrorCodes, Routes } from 'discord.js';
import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { Database } from '../../db/schema.ts';
import type { JobName, Jobs } from '../../jobs/jobs.ts';
import { concurrently } from '../../process/taking-turns.ts';
import { inTime } from '../../process/in-time.ts';
import type { Logger } from '../../process/logger.ts';
import { button, buttonRow } from '../commands/command.ts';
import { panelText } from '../commands/rules/bot-texts.ts';
import type { RestClient } from '../gateway/rest-calls.ts';
import { notePanel, type Panel, panelOf } from './guild-config-store.ts';
import type { KnownGuild } from './rules/known-guild.ts';

interface PanelsDeps {
  readonly db: Kysely<Database>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly rest: RestClient;
  readonly pace: { readonly longestRetryMs: number; readonly panelsBelievedForMs: number };
}

/** The verify panels of all servers, edited and found over REST, so that any copy can do it. */
export function createPanels(deps: PanelsDeps) {
  return { renew: addRenewal(deps), ...createPanelCheck(deps) };
}

const gone = new Set<string | number>([RESTJSONErrorCodes.UnknownMessage, RESTJSONErrorCodes.UnknownChannel]);
const forbidden = new Set<string | number>([
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
]);
const isOneOf = (codes: ReadonlySet<string | number>, error: unknown): boolean =>
  error instanceof DiscordAPIError && codes.has(error.code);

const renewalPayload = z.object({ guildId: z.string(), failures: z.int().min(0) });
const renewal: JobName<z.infer<typeof renewalPayload>> = {
  name: 'discord-panel-renewal',
  payload: renewalPayload,
  key: ({ guildId }) => guildId,
};
const triesMax = 6;

/**
 * Brings a server's panel to the current name of its collection. What Discord refuses is given up after some tries: the panel works under
 * the previous name.
 */
function addRenewal({ db, jobs, log, rest, pace }: PanelsDeps): (guildId: string) => Promise<unknown> {
  const edit = async (guildId: string, stop: AbortSignal): Promise<void> => {
    const known = await panelOf(db, guildId);
    if (known === null) return;
    const { channelId, messageId } = known.panel;
    // Buttons that are left out stay.
    const body = { content: panelText(known.nftName), allowed_mentions: { parse: [] } };
    try {
      await rest().patch(Routes.channelMessage(channelId, messageId), { body, signal: stop });
    } catch (error) {
      if (!isOneOf(gone, error) && !isOneOf(forbidden, error)) throw error;
      log.info({ guildId }, 'The verify panel is gone or out of reach: its name is left as it was');
    }
  };
  jobs.add({
    ...renewal,
    failing: 'A verify panel could not be renewed',
    run: async ({ guildId, failures }, stop) => {
      try {
        await edit(guildId, stop);
      } catch (error) {
        if (stop.aborted) throw error;
        const tries = failures + 1;
        if (tries >= triesMax) {
          log.warn({ err: error, guildId }, 'The verify panel could not be edited and keeps the previous name');
          return;
        }
        log.info({ err: error, guildId }, 'The verify panel waits for another try');
        const at = new Date(Date.now() + pace.longestRetryMs);
        await jobs.send(renewal, { guildId, failures: tries }, { at });
      }
    },
  });
  return (guildId) =>
    jobs
      .send(renewal, { guildId, failures: 0 })
      .catch((error: unknown) => log.warn({ err: error, guildId }, 'The verify panel keeps the previous name'));
}

/** Requests to Discord per read, and how many at a time: role changes need its limits, too. */
const perReadMax = 100;
const atOnceMax = 2;
const waitMs = 1_500;

/**
 * Discord reports deleted messages only with an intent that the bot lacks (rulings R5), so a read of the list of servers triggers the
 * check. Without an answer of Discord nothing changes.
 */
function createPanelCheck({ db, log, rest, pace }: PanelsDeps) {
  const stopped = new AbortController();
  const { signal } = stopped;
  const checkedAtMs = new Map<string, number>();
  let running: Promise<void> = Promise.resolve();
  const isThere = ({ channelId, messageId }: Panel): Promise<boolean> =>
    rest()
      .get(Routes.channelMessage(channelId, messageId), { signal })
      .then(
        () => true,
        (error: unknown) => {
          if (isOneOf(gone, error)) return false;
          throw error;
        },
      );
  const check = async (guildId: string): Promise<void> => {
    if (signal.aborted) return;
    try {
      const known = await panelOf(db, guildId);
      if (known !== null) await notePanel(db, guildId, known.panel.messageId, !(await isThere(known.panel)));
    } catch (error) {
      if (!signal.aborted && !isOneOf(forbidden, error))
        log.info({ err: error, guildId }, 'It could not be checked whether the verify panel is there');
    }
  };
  /** Ends without a result: those of all reads so far would hang on each other. */
  const checkAlso = async (due: readonly string[], before: Promise<void>): Promise<void> => {
    await Promise.all([before, concurrently(due, atOnceMax, check)]);
  };
  const lastMs = (guildId: string): number => checkedAtMs.get(guildId) ?? -Infinity;
  return {
    /**
     * Checks whether the panels of these servers still exist, unless checked recently. True: something may have been found; false: all was
     * known. Waits a moment at most; slower results are there the next time.
     */
    look: async (guilds: readonly Pick<KnownGuild, 'guildId' | 'panel'>[]): Promise<boolean> => {
      const nowMs = performance.now();
      const due = guilds
        .filter(({ guildId, panel }) => panel !== 'none' && lastMs(guildId) <= nowMs - pace.panelsBelievedForMs)
        .map(({ guildId }) => guildId)
        .sort((left, right) => lastMs(left) - lastMs(right))
        .slice(0, perReadMax);
      if (due.length === 0) return false;
      for (const guildId of due) checkedAtMs.set(guildId, nowMs);
      running = checkAlso(due, running);
      await inTime(running, waitMs, () => {});
      return true;
    },
    stop: async (): Promise<void> => {
      stopped.abort();
      await running;
    },
  };
}

/** null: Discord did not let the bot post there. */
export async function postPanel(guild: Guild, channelId: string, nftName: string): Promise<Panel | null> {
  const channel = guild.channels.cache.get(channelId);
  if (channel === undefined || !channel.isTextBased()) return null;
  try {
    const components = [buttonRow(button('verify', 'Verify', ButtonStyle.Primary))];
    const { id } = await channel.send({ content: panelText(nftName), components });
    return { channelId, messageId: id };
  } catch (error) {
    if (isOneOf(gone, error) || isOneOf(forbidden, error)) return null;
    throw error;
  }
}

/** A panel that is gone or out of reach counts as deleted. */
export async function takePanelAway(guild: Guild, { channelId, messageId }: Panel): Promise<void> {
  const channel = guild.channels.cache.get(channelId);
  if (channel?.isTextBased() !== true) return;
  await channel.messages.delete(messageId).catch((error: unknown) => {
    if (!(error instanceof DiscordAPIError)) throw error;
  });
}
