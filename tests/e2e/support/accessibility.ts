import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Under a dialog the page is out of reach for everybody: then only the dialog is looked at. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  const dialog = '[role=dialog], [role=alertdialog]';
  const looking = new AxeBuilder({ page }).withTags([
    'wcag2a',
    'wcag2aa',
    'wcag21a',
    'wcag21aa',
    'wcag22aa',
    'best-practice',
  ]);
  // Its other mode opens one more page each time, for frames from elsewhere: there are none.
  looking.setLegacyMode(true);
  if ((await page.locator(dialog).count()) > 0) looking.include(dialog);
  const { violations } = await looking.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' | ')}`);
}
