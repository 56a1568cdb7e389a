/** A picture of `artwork/gallery.ts`, written into the build; the import is its address. */
declare module 'virtual:artwork/*.svg' {
  const address: string;
  export default address;
}

declare module 'virtual:artwork/*.facets' {
  const drawing: {
    readonly viewBox: string;
    readonly paths: readonly { readonly fill: string; readonly line: string }[];
  };
  export default drawing;
}

/** The bot's command table in the order of a guide (scripts/virtual-modules.ts). */
declare module 'virtual:bot-commands' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an ambient module takes no relative import
  const commands: readonly import('../telegram/contract.ts').CommandFacts[];
  export default commands;
}
