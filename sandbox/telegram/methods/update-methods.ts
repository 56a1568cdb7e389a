import { booleanOf, integerOf, jsonOf, textOf } from '../parameters.ts';
import type { Parameters } from '../parameters.ts';
import type { Method } from '../telegram-server.ts';
import { badRequest, Refusal } from '../wire.ts';

const longestPollSeconds = 50;

/** Null: not sent, so the earlier list stays. */
function allowedUpdates(parameters: Parameters): string[] | null {
  const given = jsonOf(parameters, 'allowed_updates', "can't parse allowed updates JSON object");
  if (given === undefined) return null;
  if (!Array.isArray(given)) throw badRequest("can't parse allowed updates: expected an Array");
  return given.map(String);
}

export const getMe: Method = ({ state }) => ({
  ...state.bot,
  can_join_groups: true,
  // Privacy mode is on, as it is for every new bot.
  can_read_all_group_messages: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
});

export const getUpdates: Method = async ({ queue, webhook }, parameters, gone) => {
  if (webhook.settings()) {
    throw new Refusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  const allowed = allowedUpdates(parameters);
  if (allowed) queue.setAllowed(allowed);
  const limit = integerOf(parameters, 'limit');
  const outcome = await queue.take(
    {
      offset: integerOf(parameters, 'offset'),
      limit: limit >= 1 && limit <= 100 ? limit : 100,
      timeoutMs: Math.min(Math.max(integerOf(parameters, 'timeout'), 0), longestPollSeconds) * 1000,
    },
    gone,
  );
  if (outcome === 'terminated') {
    throw new Refusal(
      409,
      webhook.settings()
        ? 'Conflict: terminated by setWebhook request'
        : 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    );
  }
  return outcome;
};

export const setWebhook: Method = (server, parameters) => {
  const { queue, webhook } = server;
  const url = textOf(parameters, 'url');
  if (url === '') return deleteWebhook(server, parameters, AbortSignal.abort());
  // Telegram accepts only https; here the product listens on loopback.
  if (!URL.canParse(url) || !/^(https:|http:\/\/(localhost|127\.0\.0\.1)([:/]|$))/.test(url)) {
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
  }
  const secretToken = textOf(parameters, 'secret_token') || null;
  if (secretToken !== null && !/^[A-Za-z0-9_-]{1,256}$/.test(secretToken)) {
    throw badRequest('secret token contains unallowed characters');
  }
  const allowed = allowedUpdates(parameters);
  if (allowed) queue.setAllowed(allowed);
  if (booleanOf(parameters, 'drop_pending_updates')) queue.clear();
  const maxConnections = integerOf(parameters, 'max_connections');
  webhook.set({ url, secretToken, maxConnections: maxConnections >= 1 && maxConnections <= 100 ? maxConnections : 40 });
  queue.terminate();
  return true;
};

export const deleteWebhook: Method = ({ queue, webhook }, parameters) => {
  webhook.clear();
  if (booleanOf(parameters, 'drop_pending_updates')) queue.clear();
  return true;
};

export const getWebhookInfo: Method = ({ queue, webhook }) => {
  const settings = webhook.settings();
  const error = webhook.lastError();
  const allowed = queue.allowed();
  return {
    url: settings?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: queue.pending().length,
    ...(error && { last_error_date: Math.floor(error.atMs / 1000), last_error_message: error.message }),
    ...(settings && { max_connections: settings.maxConnections, ip_address: '127.0.0.1' }),
    ...(allowed && { allowed_updates: allowed }),
  };
};
