import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { artwork } from './scripts/artwork-plugin.ts';

export default defineConfig({
  plugins: [react(), tailwindcss(), artwork()],
  publicDir: 'src/site/public',
  build: {
    target: 'es2023',
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Otherwise each shared button and picture address becomes a request of its own. What brings a library
            // along, or serves the admin area alone, stays with the pages that use it.
            {
              name: 'shared',
              test: /(src\/(web|site)\/(?!.*(tabs|accordion|toast-region|dialog|field|mutation|address-choice|failure-text|focus-return|empty-state|status-dot|progress-bar))|virtual:artwork)/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});
