/** What is said about a command: in Telegram's menus, /help, on the public page and in the dashboard. */
export interface CommandFacts {
  /** Without the slash: 1 to 32 letters (Bot API, BotCommand). */
  readonly name: string;
  readonly who: 'anyone' | 'group-admins';
  readonly where: 'everywhere' | 'groups';
  /** In Telegram's menu and in /help. */
  readonly menuLine: string;
  /** Usage with an example; defaults to the bare command. */
  readonly example?: string;
  /** Specification 2: on the public page, which names seven. */
  readonly page?: { readonly usage?: string; readonly text: string };
  /** Specification 2: in the dashboard's usage instructions, likewise. */
  readonly dashboard?: string;
}
