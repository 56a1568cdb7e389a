import { test as base, expect } from '@playwright/test';
import { type Product, startProduct, untilTreasuryIsRead } from '../../support/product.ts';

/**
 * Every browser test runs against the production build with its worker's own sandbox, and fails on anything the browser
 * complains about: console errors, uncaught errors, violations of the content security policy.
 */
export const test = base.extend<{ complaints: string[] }, { product: Product; worldOf: string }>({
  /** A file whose changes would affect other files names its own world, and gets a worker and a product for it. */
  worldOf: ['everybody', { scope: 'worker', option: true }],
  product: [
    async ({ worldOf: _worldOf }, use) => {
      const product = await startProduct();
      await untilTreasuryIsRead(product.url);
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ product }, use) => {
    await use(product.url);
  },
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await use(complaints);
      expect(complaints, 'the browser complained').toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };
