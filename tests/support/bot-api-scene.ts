import { afterAll, beforeAll, beforeEach } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/start-sandbox.ts';
import { botApiCaller, type BotApiReply } from '../../sandbox/telegram/bot-api-caller.ts';

/** The sandbox's Telegram as a bot sees it: one for a test file, reset to its seed before each test. */
export function botApiScene(options: Parameters<typeof startSandbox>[0] = {}) {
  let sandbox: Sandbox;
  let call: ReturnType<typeof botApiCaller>;
  beforeAll(async () => {
    sandbox = await startSandbox(options);
    call = botApiCaller(sandbox);
  });
  afterAll(() => sandbox.stop());
  beforeEach(() => sandbox.telegram.reset());
  const group = () => sandbox.telegram.seeded.groupId;
  return {
    telegram: () => sandbox.telegram,
    /** The address of a bot method. */
    addressOf: (method: string): string => `${sandbox.urls.telegram}/bot${sandbox.facts.telegramBotToken}/${method}`,
    call: (method: string, parameters?: object): Promise<BotApiReply> => call(method, parameters),
    group,
    send: (rest: object): Promise<BotApiReply> => call('sendMessage', { chat_id: group(), ...rest }),
  };
}

/** Telegram's answer to a call that it refuses. */
export const refused = (description: string, code = 400) => ({
  status: code,
  ok: false,
  error_code: code,
  description,
});
