import type { Plugin } from 'vite';

const schemaLibrary = /\/node_modules\/zod\/index\.js$/;

/**
 * Pages read answers with `zod/mini`. One import of `zod`, as in every contract, would bring three times as much along to all of them:
 * what a page and a contract share stands apart from the schemas (src/treasury/core/ledger-words.ts).
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
