import type { Plugin } from 'vite';

const schemaLibrary = /\/node_modules\/zod\/index\.js$/;

/**
 * Pages parse answers with `zod/mini`. A single import of `zod`, as in every contract, would triple that code for all of them, so
 * what a page and a contract share is kept apart from the schemas (src/treasury/core/ledger-words.ts).
 */
export const smallSchemas = (): Plugin => ({
  name: 'small-schemas',
  buildEnd() {
    const importers = [...this.getModuleIds()]
      .filter((id) => schemaLibrary.test(id))
      .flatMap((id) => this.getModuleInfo(id)?.importers ?? []);
    if (importers.length > 0) this.error(`A page takes values from a file that imports zod: ${importers.join(', ')}`);
  },
});
