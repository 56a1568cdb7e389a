import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './support/admin.ts';
import { answering, configuration, message, status } from './support/telegram-answers.ts';

const open = '/admin?tab=telegram&view=configurations';

test.describe('the tab for everybody', () => {
  const long = 'An extraordinarily long-winded name of boulders and pebbles without an end '.repeat(3);
  const show = async (page: Page): Promise<void> => {
    const deleted = configuration({ id: '9', deletedAt: '2026-11-19T10:00:00.000Z' });
    await answering(page, '/api/telegram/status', status());
    await answering(page, '/api/telegram/deleted-configs', [deleted]);
    await answering(page, '/api/telegram/configs', [
      configuration({ failedCount: 2, mintStats: { mintedCount: 555 } }),
      configuration({
        id: '2',
        collectionName: long,
        chatTitle: 'x'.repeat(200),
        maxSupply: null,
        chatState: 'trouble',
      }),
      configuration({ id: '3', mintStats: { mintedCount: 999_999_999 }, maxSupply: 1_000_000_000 }),
    ]);
    const failed = message({ id: '21', state: 'failed', reason: 'y'.repeat(300), preview: 'z'.repeat(200) });
    await answering(page, '/api/telegram/configs/1/deliveries', {
      messages: [failed, message({ isDoubtful: true })],
      nextBefore: '20',
    });
  };
  const places = [
    ['/admin?tab=telegram', async () => {}],
    [open, async (page: Page) => page.getByText('Recently deleted').click()],
    [`${open}&deliveries=1`, async () => {}],
    [open, async (page: Page) => page.getByRole('button', { name: 'Edit hex ID' }).first().click()],
    [open, async (page: Page) => page.getByRole('button', { name: 'Delete' }).first().click()],
  ] as const;

  for (const width of [320, 375, 1280]) {
    test(`never scrolls sideways at ${width} px`, async ({ page, signIn }) => {
      await page.setViewportSize({ width, height: 800 });
      await show(page);
      for (const [path, act] of places) {
        await signIn(path);
        await act(page);
        await expect(page.getByText('Loading...')).toHaveCount(0);
        const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflowPx, path).toBeLessThanOrEqual(0);
      }
    });
  }

  for (const colorScheme of ['dark', 'light'] as const) {
    for (const width of [375, 1280]) {
      test(`has no accessibility problem in ${colorScheme} at ${width} px (WCAG 2.2 AA)`, async ({ page, signIn }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 800 });
        await show(page);
        for (const [path, act] of places) {
          await signIn(path);
          await act(page);
          await expect(page.getByText('Loading...')).toHaveCount(0);
          expect(await problemsOf(page), path).toEqual([]);
        }
      });
    }
  }
});

/** Under a dialog the page is out of reach for everybody: then only the dialog is looked at. */
async function problemsOf(page: Page): Promise<readonly string[]> {
  const dialog = '[role=dialog], [role=alertdialog]';
  const looking = new AxeBuilder({ page }).withTags([
    'wcag2a',
    'wcag2aa',
    'wcag21a',
    'wcag21aa',
    'wcag22aa',
    'best-practice',
  ]);
  if ((await page.locator(dialog).count()) > 0) looking.include(dialog);
  const { violations } = await looking.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' | ')}`);
}
