import type { Sandbox } from '../start-sandbox.ts';

/** An answer of the REST API with its body parsed. */
export type Said = { status: number; headers: Headers; body: Record<string, unknown> };

/** Calls this Discord's REST API without a library; `path` is such as '/guilds/1', the token the bot's by default. */
export function discordCaller(sandbox: Sandbox) {
  return async (
    method: string,
    path: string,
    options: { body?: unknown; token?: string | null; reason?: string } = {},
  ): Promise<Said> => {
    const { body, token = sandbox.facts.discordBotToken, reason } = options;
    const answer = await fetch(`${sandbox.urls.discord}/api/v10${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bot ${token}` }),
        ...(reason !== undefined && { 'x-audit-log-reason': encodeURIComponent(reason) }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const read: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : { text };
    return { status: answer.status, headers: answer.headers, body: read as Said['body'] };
  };
}

/** Like `discordCaller`, but returns only the status and Discord's code. */
export function discordRefusals(sandbox: Sandbox) {
  const call = discordCaller(sandbox);
  return async (...wanted: Parameters<typeof call>): Promise<[number, unknown]> => {
    const { status, body } = await call(...wanted);
    return [status, body['code']];
  };
}
