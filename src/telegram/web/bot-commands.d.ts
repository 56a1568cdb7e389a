/** The bot's command table in the order of a guide (scripts/bot-commands-plugin.ts). */
declare module 'virtual:bot-commands' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an ambient module takes no relative import
  const commands: readonly import('../contract.ts').CommandFacts[];
  export default commands;
}
