import type { Plugin } from 'vite';

const schemaLibrary = /\/node_modules\/zod\/index\.js$/;

/**
 * Pages parse answers with `zod/mini`, and so do the contracts that they read. A single import of `zod` would triple that code for all
 * of them, so the schemas of requests are in files of their own.
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
