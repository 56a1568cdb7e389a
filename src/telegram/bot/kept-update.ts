const peoplesNames: ReadonlySet<string> = new Set([
  'first_name',
  'last_name',
  'username',
  'language_code',
  'author_signature',
]);
const peoplesWords: ReadonlySet<string> = new Set(['quote', 'external_reply', 'forward_origin']);

/**
 * An update as JSON for the database: without names, and without quoted text of other people. The privacy policy
 * mentions only a messenger user ID, and the bot's page says that what people write to each other is never stored.
 */
export const keptUpdate = (update: object): string => JSON.stringify(update, withoutPeople);

function withoutPeople(key: string, value: unknown): unknown {
  if (peoplesNames.has(key) || peoplesWords.has(key)) return undefined;
  return key === 'reply_to_message' && isObject(value) ? answered(value) : value;
}

type Parts = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Parts => typeof value === 'object' && value !== null;

/** A bot's question identifies what is answered; of any other message the id is enough. */
const answered = (message: Parts): Parts => {
  const { message_id, date, chat, from } = message;
  return isObject(from) && from['is_bot'] === true ? message : { message_id, date, chat };
};
