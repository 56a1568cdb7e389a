import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Of the whole page, also what lies under an open dialog: nobody must get there by keyboard while it is hidden. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
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
  const { violations } = await looking.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' | ')}`);
}
