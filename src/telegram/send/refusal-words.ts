/** The meaning of Telegram's error texts. They are no stable codes: see tdlib/td and telegram-bot-api, `Client.cpp`. */
export const refusalWords = {
  gone: /chat not found|peer_id_invalid|chat_id_invalid|chat_id is empty|group chat was deactivated|user not found|input_user_deactivated/i,
  putOut: /kicked|blocked|not a member|deactivated|deleted|can't initiate|bot is not|channel_private/i,
  topic: /message thread not found|topic_closed|topic_deleted|topic closed|thread_id_invalid|message thread/i,
  photoRight: /not enough rights to send photos|chat_send_photos_forbidden|chat_send_media_forbidden/i,
  rights:
    /not enough rights|chat_write_forbidden|have no rights|chat_restricted|chat_send_plain_forbidden|need administrator rights|chat_admin_required/i,
  fileId:
    /wrong file.?identifier|wrong file_id|wrong remote file|file_reference|wrong padding|invalid file_id|wrong type of file/i,
  picture:
    /photo_|image_process|failed to get http url|wrong type of the web page|caption is too long|caption_too_long|file is too big|request entity too large/i,
  notModified: /message is not modified/i,
  noCaption: /there is no caption in the message to edit/i,
  cardGone:
    /message to edit not found|message can't be edited|message_id_invalid|there is no text in the message to edit/i,
} as const;

/** What Telegram says about a chat; null: it is about the message, or about Telegram itself. */
export function chatRefusal(code: number, description: string): 'writing' | 'topic' | null {
  if (refusalWords.topic.test(description)) return 'topic';
  const { rights, gone } = refusalWords;
  const isWriting = code === 403 || (code === 400 && (rights.test(description) || gone.test(description)));
  return isWriting ? 'writing' : null;
}
