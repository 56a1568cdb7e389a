import type { Product } from '../support/product.ts';
import { untilOwnersAreRead } from '../support/product.ts';
import { expect, test } from './support/browser.ts';
import { whatMoves } from './support/layout-shift.ts';

const windows = [
  { name: 'phone', size: { width: 412, height: 823 } },
  { name: 'desktop', size: { width: 1280, height: 800 } },
] as const;

const pages = ['/', '/nft', '/rocks', '/rocks/1', '/rockfolio', '/statements', '/payouts'] as const;

async function holderPage({ url }: Product): Promise<string> {
  await untilOwnersAreRead(url);
  const { data } = (await (await fetch(`${url}/api/rocks/1`)).json()) as { data: { owner: { address: string } } };
  return `/holders/${data.owner.address}`;
}

for (const { name, size } of windows) {
  for (const path of [...pages, 'a holder'] as const) {
    test(`on a ${name} the figures of ${path} appear in the room kept for them: nothing moves`, async ({
      page,
      product,
    }) => {
      await page.setViewportSize(size);
      expect(await whatMoves(page, path === 'a holder' ? await holderPage(product) : path)).toEqual([]);
    });
  }
}
