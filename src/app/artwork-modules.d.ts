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
