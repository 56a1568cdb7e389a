/** Types as sent over the wire, in the Bot API's own names (Bot API 10.1). */

export type User = {
  id: number;
  is_bot: boolean;
  first_name: string;
  last_name?: string;
  username?: string;
  language_code?: string;
};

export type Entity = {
  type: string;
  /** UTF-16 code units, as everywhere in the Bot API. */
  offset: number;
  length: number;
  url?: string;
  language?: string;
  user?: User;
  custom_emoji_id?: string;
};

export type PhotoSize = { file_id: string; file_unique_id: string; width: number; height: number; file_size: number };

export type InlineButton = { text: string; callback_data?: string; url?: string } & Record<string, unknown>;
export type InlineKeyboard = { inline_keyboard: InlineButton[][] };

export type Update = { update_id: number } & Record<string, unknown>;

/** A refused call; sent as `{ok: false, error_code, description, parameters}`. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: number;
  readonly parameters: Record<string, number> | undefined;

  constructor(code: number, description: string, parameters?: Record<string, number>) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(what: string): Refusal {
  return new Refusal(400, `Bad Request: ${what}`);
}

export function forbidden(what: string): Refusal {
  return new Refusal(403, `Forbidden: ${what}`);
}
