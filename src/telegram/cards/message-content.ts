export interface MessageButton {
  readonly text: string;
  /** Either a URL to open … */
  readonly url?: string;
  /** … or what the bot receives when it is pressed; at most 64 bytes (Bot API). */
  readonly data?: string;
}

/** One message. `html` is Telegram's HTML, with all foreign text escaped. */
export interface MessageContent {
  readonly html: string;
  /** Source of the picture; null: text only. Untrusted. */
  readonly imageUrl: string | null;
  readonly buttons: readonly (readonly MessageButton[])[];
  readonly isSilent: boolean;
}
