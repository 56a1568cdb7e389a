import type { Plugin } from 'vite';
import { guideCommands } from '../src/telegram/commands/command-table.ts';

const id = 'virtual:bot-commands';

/** `virtual:bot-commands`: what the bot's command table says about each command, for pages, without the code behind it. */
export const botCommands = (): Plugin => ({
  name: 'bot-commands',
  resolveId: (asked) => (asked === id ? `\0${id}` : null),
  load: (resolved) => (resolved === `\0${id}` ? `export default ${JSON.stringify(guideCommands)}` : null),
});
