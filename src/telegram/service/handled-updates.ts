/** Rulings R4: what the bot asks Telegram for is exactly what it handles. */
export const handledUpdates = ['message', 'callback_query', 'my_chat_member', 'chat_member'] as const;
