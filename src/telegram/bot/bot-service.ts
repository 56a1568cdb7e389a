import type { Update, UserFromGetMe } from 'grammy/types';

import { createBotRunner, retryPace } from '../../bot-service/bot-runner.ts';
import type { Deliveries } from '../deliveries.ts';
import { apiFailureOf, type BotApi, createBotApi, readMe } from '../send/bot-api.ts';
import { createFloodLimiter, createUpdateReading, type FloodLimiter } from './admit-updates.ts';
import type { BotPace, TelegramParts } from './bot-deps.ts';
import { createGroupAdmins } from './group-admins.ts';
import { createRefusal, createUpdateHandler, dispatchUpdate } from './handle-update.ts';
import { introduceBot, runBot } from './run-bot.ts';
import { createUpdateStore, addUpdateJobs, type UpdateJobDeps } from './update-jobs.ts';
import { createWebhook } from './webhook.ts';
import { type Asked, otherWords, readAsked } from './read-asked.ts';
import type { Log } from '../../process/logger.ts';

export const botPace: BotPace = { ...retryPace, settleMs: 10_000 };

/** The bot with a token. One copy at a time is connected to Telegram; any copy may take the job that answers an update. */
export function createBotService(parts: TelegramParts, deliveries: Pick<Deliveries, 'send'>, token: string) {
  const { settings, service, botIdentity, log } = parts;
  const botApi = createBotApi({ token, apiUrl: settings.apiUrl });
  const isWanted = async (): Promise<boolean> => (await service.read()).wanted === 'active';
  const identity = createIdentity(botApi.api);
  const intake = createIntake(parts, botApi, identity, isWanted);
  const take = async (update: Update): Promise<void> => {
    await identity.identifyBot();
    await intake.take([update]);
  };
  const webhook = settings.mode === 'webhook' ? createWebhook({ ...parts, ...settings, isWanted, take }) : null;
  const onIdentified = async (me: UserFromGetMe, stop: AbortSignal): Promise<void> => {
    identity.is(me);
    await intake.handleWaiting();
    await introduceBot(botApi.api, stop).catch((error: unknown) =>
      log.warn({ err: error }, 'The Telegram bot could not register its commands'),
    );
  };
  const runner = createBotRunner({
    ...parts,
    store: service,
    label: 'Telegram bot',
    failureOf: apiFailureOf,
    run: async (report, stop) => {
      if (!(await botIdentity.check())) return;
      await runBot({ botApi, webhook: webhook?.address ?? null, take: intake.take, onIdentified }, report, stop);
    },
    onWantedChange: parts.onServiceChange,
    runBeside: async (row, over) => {
      if (botIdentity.isSame(row)) await deliveries.send(over);
    },
  });
  return {
    routes: webhook === null ? [] : [webhook.route],
    start: runner.start,
    stop: runner.stop,
  };
}

function createIntake(parts: TelegramParts, { api }: BotApi, identity: Identity, isWanted: () => Promise<boolean>) {
  const rule = createFloodLimiter(parts.nowMs);
  const { me, identifyBot } = identity;
  return createUpdateIntake({
    ...parts,
    store: createUpdateStore(parts.db),
    isWanted,
    me,
    identifyBot,
    rule,
    isAdmin: createGroupAdmins(api, parts.clock).isAdmin,
    handle: createUpdateHandler({
      dispatch: (update, asked, addReply) => dispatchUpdate({ ...parts, api, addReply }, me(), update, asked),
      api,
      log: parts.log,
    }),
    refuse: createRefusal(api, rule),
  });
}

type Identity = ReturnType<typeof createIdentity>;

/** The bot's identity. A copy that does not run the bot asks Telegram on its first update. */
function createIdentity(api: BotApi['api']) {
  let known: UserFromGetMe | null = null;
  return {
    is: (me: UserFromGetMe): void => void (known = me),
    identifyBot: async (): Promise<void> => void (known ??= await readMe(api)),
    me: (): UserFromGetMe => {
      if (known === null) throw new Error('The identity of the bot is not known yet');
      return known;
    },
  };
}

export interface IntakeDeps extends Omit<UpdateJobDeps, 'read'> {
  readonly rule: Pick<FloodLimiter, 'admits'>;
  readonly me: () => Pick<UserFromGetMe, 'id' | 'username'>;
  readonly log: Pick<Log, 'warn'>;
}

/** More than Telegram repeats within minutes. */
const rememberedMax = 2_000;

/** Takes updates from polling and webhook, and adds the jobs that handle them (docs/decisions/0016). */
export function createUpdateIntake(deps: IntakeDeps) {
  const { rule, me, store } = deps;
  /** An update that is delivered again, because our confirmation was lost or storing failed, is not counted again. */
  const admittedIds = new Set<number>();
  const isAdmitted = (id: number, asked: Asked): boolean => {
    if (admittedIds.has(id)) return true;
    if (!rule.admits(asked)) return false;
    const [oldest] = admittedIds.add(id);
    if (oldest !== undefined && admittedIds.size > rememberedMax) admittedIds.delete(oldest);
    return true;
  };
  const jobs = addUpdateJobs({ ...deps, read: (update) => readAsked(update, me()) });
  const keptOf = createUpdateReading(deps.log);
  const admit = (given: Update) => {
    const update = keptOf(given);
    if (update === null) return [];
    const asked = readAsked(update, me());
    const { message } = update;
    if (asked.kind === 'nothing' || !isAdmitted(update.update_id, asked)) return [];
    // The text of a private message that is not a command is never stored.
    const isWordless = message !== undefined && asked.command === otherWords;
    const kept = isWordless ? { ...update, message: { ...message, text: '' } } : update;
    return [{ update: kept, chatId: asked.chatId }];
  };
  return {
    ...jobs,
    /** Resolves when all are stored, each once however often it arrives. Rejects with database errors, so that Telegram delivers them again. */
    take: async (updates: readonly Update[]): Promise<void> => {
      const arrived = updates.flatMap(admit);
      if (arrived.length === 0) return;
      const chats = arrived.map(({ chatId }) => chatId);
      await store.write(arrived, (trx) => jobs.handleChats(chats, trx));
    },
  };
}
