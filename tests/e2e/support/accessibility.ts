import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Violations of WCAG 2.2 AA and of axe's further advice, on the whole page. That includes the part under an open dialog, which the
 * keyboard must not reach while it is hidden.
 */
export const problemsOf = (page: Page): Promise<readonly string[]> =>
  violationsFound(
    new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']),
  );

/** The part of `problemsOf` that can differ between the color schemes of a page. */
export const colourProblemsOf = (page: Page): Promise<readonly string[]> =>
  violationsFound(new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block']));

async function violationsFound(axe: AxeBuilder): Promise<readonly string[]> {
  // The default mode opens an extra page each time for cross-origin frames, of which there are none.
  axe.setLegacyMode(true);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' | ')}`);
}
