import type { Client, GatewayDispatchEvents } from 'discord.js';
import type { z } from 'zod';

import type { BotLog } from '../../platform/bot-service/bot-runner.ts';

/** A dispatch before discord.js has handled it. One that cannot be read is left out: a throw would end the connection's reading. */
export function hearDispatch<T>(
  client: Client,
  log: BotLog,
  event: GatewayDispatchEvents,
  schema: z.ZodType<T>,
  handle: (payload: T) => void,
): void {
  client.ws.on(event, (data: unknown) => {
    const parsed = schema.safeParse(data);
    if (parsed.success) handle(parsed.data);
    else log.warn({ event, issues: parsed.error.issues.slice(0, 3) }, 'Discord sent an event of an unknown shape');
  });
}
