import type { ServiceStatus, WantedState } from '../bot-service/service-store.ts';
import { type Admin, adminOf, failure, defineRoute, type Route, type RouteAnswer } from './route.ts';

/** The calls with which admins see, start and stop a bot (specification 7). */
export interface BotServiceCalls<Status extends ServiceStatus> {
  /** `/api/telegram`, `/api/discord`. */
  readonly basePath: string;
  /** The bot's name in the call descriptions, such as 'the group-chat bot'. */
  readonly called: string;
  readonly answer: Route['answer'];
  readonly status: () => Promise<Status>;
  /** Resolves when the bot has reached that state, is failing, or the wait is over. */
  readonly switchTo: (wanted: WantedState, by: Admin) => Promise<void>;
  /** How to get a token. */
  readonly noToken: string;
}

export const botServiceRoutes = <Status extends ServiceStatus>(calls: BotServiceCalls<Status>): readonly Route[] => {
  const { basePath, called, answer, status, switchTo } = calls;
  return [
    defineRoute({
      method: 'GET',
      path: `${basePath}/status`,
      access: 'operator',
      summary: `The state of ${called}, its wanted state, and any problem`,
      answer,
      handle: async () => ({ data: await status() }),
    }),
    defineRoute({
      method: 'POST',
      path: `${basePath}/init`,
      access: 'operator',
      summary: `Start ${called}, in any copy; 503 while it cannot run, although it keeps trying`,
      answer,
      handle: async ({ user }) => {
        if ((await status()).state === 'not-configured') return failure(409, 'bot-not-configured', calls.noToken);
        await switchTo('active', adminOf(user));
        const now = await status();
        return now.state === 'active' ? { data: now } : notYetActive(now);
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${basePath}/shutdown`,
      access: 'operator',
      summary: `Stop ${called}; nothing is read or sent for it until it is started again`,
      answer,
      handle: async ({ user }) => {
        await switchTo('inactive', adminOf(user));
        const now = await status();
        if (now.state === 'inactive' || now.state === 'not-configured') return { data: now };
        return notYetInactive(now);
      },
    }),
  ];
};

/** Not an outage: another admin changed it at the same time, or the change takes effect a little later. */
const notYetInactive = ({ wanted }: ServiceStatus): RouteAnswer =>
  wanted === 'active'
    ? failure(409, 'bot-started', 'Someone else has started the bot.')
    : failure(
        409,
        'bot-still-stopping',
        'The bot has not stopped yet. It will within a few seconds; refresh the status.',
      );

const notYetActive = ({ state, wanted, lastError }: ServiceStatus): RouteAnswer => {
  if (wanted === 'inactive') return failure(409, 'bot-shut-down', 'Someone else has shut the bot down.');
  if (state === 'failing' && lastError !== null) return failure(503, 'bot-failing', lastError.message);
  return failure(409, 'bot-still-starting', 'The bot has not started yet. It keeps trying; refresh the status.');
};
