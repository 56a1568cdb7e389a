import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { artwork, botCommands } from './scripts/virtual-modules.ts';

/** Shared parts by the beginning of their names: they bring a library along, or the first page has no use for them. */
const withTheirPages = [
  'legal-document',
  'tables',
  'query-error',
  'address-bar',
  'toast-region',
  'dialogs',
  'text-field',
  'use-answer',
  'canonical-json',
  'explorer-links',
  'recalculation',
  'published-file',
  'web/rocks/',
  'wallets/',
];

export default defineConfig({
  plugins: [react(), tailwindcss(), artwork(), botCommands()],
  publicDir: 'src/site/public',
  // The router brings a stand-in for React 17; React has had the function itself since version 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    target: 'es2023',
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Pure files do nothing when they are loaded: what a contract passes on from one comes along only where it is used.
      treeshake: { moduleSideEffects: [{ test: /\/src\/[^/]+\/core\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            // Otherwise each shared button and picture address becomes a request of its own.
            {
              name: 'shared',
              test: new RegExp(
                // Addresses of pages: which page is at one is asked everywhere.
                String.raw`src/(app|ui|site|shared)/(?!.*(${withTheirPages.join('|')}))|-addresses\.ts|virtual:artwork|node_modules/(react-dom|@tanstack/query-core/(?!.*(infinite|mutation)Observer)|zod)/`,
              ),
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});
