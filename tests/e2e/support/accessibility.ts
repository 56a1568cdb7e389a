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

/** What a finger would miss: buttons, links of their own, fields, tabs and folds of the page or its dialog under 44 by 44 pixels. */
export const smallTargetsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const pressable = ':is(a[href], button, summary, input, select, [role=tab])';
    const targets = [
      ...document.querySelectorAll(`main ${pressable}, [role=dialog] ${pressable}, [role=alertdialog] ${pressable}`),
    ];
    return targets
      .filter((target) => target.checkVisibility() && !target.matches('p a, li a'))
      .map((target) => ({ target, box: (target.closest('.field-box') ?? target).getBoundingClientRect() }))
      .filter(({ box: { width, height } }) => Math.round(Math.min(width, height)) < 44)
      .map(
        ({ target, box }) =>
          `${target.textContent || target.ariaLabel}: ${Math.round(box.width)} x ${Math.round(box.height)}`,
      );
  });
