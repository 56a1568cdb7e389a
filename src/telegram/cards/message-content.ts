export interface MessageButton {
  readonly text: string;
  /** Either an address to open … */
  readonly url?: string;
  /** … or what the bot is told when it is pressed; at most 64 bytes (Bot API). */
  readonly data?: string;
}

/** What one message says. `html` is Telegram's HTML, every foreign text in it escaped already. */
export interface MessageContent {
  readonly html: string;
  /** Where the picture is to be fetched; null: a message of words alone. Untrusted. */
  readonly imageUrl: string | null;
  readonly buttons: readonly (readonly MessageButton[])[];
  readonly isSilent: boolean;
}
