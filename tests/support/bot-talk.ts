import type { TelegramCopy } from './telegram-copy.ts';
import { saidIn, type TelegramWorld } from './telegram-world.ts';
import { until } from './until.ts';

/** Lets a test check whether the bot is alive; `world` returns the current test's world. */
export const botTalk = (world: () => TelegramWorld) => {
  const telegram = () => world().sandbox.telegram;
  const statusOf = async (copy: TelegramCopy): Promise<Record<string, unknown>> =>
    (await copy.call('GET', '/api/telegram/status')).body.data;
  return {
    telegram,
    statusOf,
    isState: (copy: TelegramCopy, state: string) =>
      until(`the bot is ${state}`, async () => (await statusOf(copy))['state'] === state),
    /** Writes to the bot in private; returns the message's id. */
    ask: (): number => {
      const { adminId } = telegram().seeded;
      return telegram().type({ chatId: adminId, userId: adminId, text: '/start' }).messageId;
    },
    answered: (afterId: number) => saidIn(world(), telegram().seeded.adminId, 'keep watch', afterId),
  };
};
