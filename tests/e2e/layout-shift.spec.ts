import { payLines, treasurerOf, untilPaid } from '../support/published-payout.ts';
import { admin, expect, test } from './support/admin.ts';
import { whatMoves, windows } from './support/layout-shift.ts';

test.use({ worldOf: 'layout-shift' });
test.describe.configure({ timeout: 180_000, mode: 'serial' });

const pages = ['/', '/nft', '/rocks', '/rocks/1', '/rockfolio', '/statements', '/payouts'] as const;
let [payoutPage, holderPage, treasuryPage] = ['', '', ''];

test.beforeAll(async ({ product }) => {
  const { payout, lines } = await (
    await treasurerOf(product, admin)
  ).publish({ title: 'October', shareRaw: '10000007' });
  await payLines(product, lines);
  await untilPaid(product, payout);
  payoutPage = `/payouts/${payout}`;
  holderPage = `/holders/${lines[0]!.address}`;
  treasuryPage = `/holders/${product.sandbox.facts.treasuryAddress}`;
});

for (const { name, size } of windows) {
  test(`on a ${name} figures appear in the room kept for them: nothing moves`, async ({ page }) => {
    await page.setViewportSize(size);
    for (const path of [...pages, payoutPage, holderPage, treasuryPage])
      expect(await whatMoves(page, path), path).toEqual([]);
  });
}
