import { expect, type Page } from '@playwright/test';
import { setUpGroup } from '../tests/e2e/support/telegram-groups.ts';
import type { Product } from '../tests/support/product.ts';
import type { Show } from './discord-pictures.ts';

const group = 'Rock Fans of the North';
const configurations = '/admin?tab=telegram&view=configurations';
const kinds = ['mint', 'list', 'buy'] as const;

/** Starts the bot, sets a group up and causes a mint, a listing and a sale. `page`: of a signed-in admin. */
export async function startTelegramLife(product: Product, page: Page): Promise<void> {
  await setUpGroup(page, product, group);
  for (const kind of kinds) {
    await product.control('/control/burst', { collection: 'rocks', kind, count: 1, priceMist: '3000000000' });
  }
}

/** The tab as an admin sees it. */
export const telegramPictures: Readonly<Record<string, Show>> = {
  'telegram-configurations': async (page) => {
    await page.goto(configurations);
    await expect(page.getByRole('row').filter({ hasText: group })).toBeVisible();
  },
  'telegram-deliveries': async (page) => {
    await page.goto(configurations);
    await page.getByRole('row').filter({ hasText: group }).getByRole('button', { name: 'Deliveries' }).click();
    await expect(page.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem')).not.toHaveCount(0);
  },
};

/** Shows the line that every page has while a source cannot be read. Call it last: it breaks the prices. */
export async function breakPrices(product: Product): Promise<void> {
  for (const service of ['prices', 'pricesFallback']) {
    await product.control('/control/faults', { service, kind: '500' });
  }
}

export const statusPictures: Readonly<Record<string, Show>> = {
  'status-line': async (page) => {
    await expect(async () => {
      await page.goto('/rockfolio');
      await expect(page.locator('.status-line')).toContainText('the price service has not answered since', {
        timeout: 500,
      });
    }).toPass({ timeout: 120_000 });
  },
};
