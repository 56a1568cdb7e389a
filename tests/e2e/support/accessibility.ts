import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * WCAG 2.2 AA, and what axe advises beyond it. Of the whole page, also what lies under an open dialog: nobody must get there by keyboard
 * while it is hidden.
 */
export const problemsOf = (page: Page): Promise<readonly string[]> =>
  violationsFound(
    new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']),
  );

/** Those of `problemsOf` that the same page can have in one colour scheme and not in the other. */
export const colourProblemsOf = (page: Page): Promise<readonly string[]> =>
  violationsFound(new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block']));

async function violationsFound(looking: AxeBuilder): Promise<readonly string[]> {
  // Its other mode opens one more page each time, for frames from elsewhere: there are none.
  looking.setLegacyMode(true);
  const { violations } = await looking.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' | ')}`);
}
