import type { Sandbox } from '../start-sandbox.ts';

export type BotApiReply = {
  status: number;
  ok: boolean;
  result?: unknown;
  error_code?: number;
  description?: string;
  parameters?: Record<string, number>;
};

/** Calls methods over plain HTTP with JSON, without a library. */
export function botApiCaller(sandbox: Sandbox) {
  return async (method: string, parameters: unknown = {}): Promise<BotApiReply> => {
    const answer = await fetch(`${sandbox.urls.telegram}/bot${sandbox.facts.telegramBotToken}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
    });
    return { status: answer.status, ...((await answer.json()) as Omit<BotApiReply, 'status'>) };
  };
}
