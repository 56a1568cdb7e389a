import type { Page } from '@playwright/test';
import { problemsOf } from './accessibility.ts';
import { expect, test } from './admin.ts';
import { smallTargets } from './on-a-phone.ts';

/** A state of the dashboard: its name, its address, and what to press there. */
export type Place = readonly [name: string, address: string, act: (page: Page) => Promise<void>];

/** The narrowest width that a page must fit (WCAG 1.4.10); accessibility is checked only at the other widths. */
const narrowestPx = 320;

/** Each place on phone and desktop: it never scrolls sideways, and is accessible in dark and light. */
export function testForEverybody(
  part: string,
  places: readonly Place[],
  show: (page: Page) => Promise<void>,
  phonePx: number,
): void {
  for (const width of [narrowestPx, phonePx, 1280]) {
    const isAccessibilityChecked = width !== narrowestPx;
    const touch = width === phonePx ? ', controls large enough for touch' : '';
    const claim = isAccessibilityChecked ? `${touch}, no accessibility problem in dark or light (WCAG 2.2 AA)` : '';
    test(`${part} at ${width} px: never scrolls sideways${claim}`, async ({ page, signIn }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 800 });
      await show(page);
      for (const [name, address, act] of places) {
        await signIn(address);
        await act(page);
        await expect(page.getByText('Loading...')).toHaveCount(0);
        const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflowPx, name).toBeLessThanOrEqual(0);
        if (width === phonePx) expect(await smallTargets(page), name).toEqual([]);
        for (const colorScheme of isAccessibilityChecked ? (['dark', 'light'] as const) : []) {
          await page.emulateMedia({ colorScheme });
          expect(await problemsOf(page), `${name} in ${colorScheme}`).toEqual([]);
        }
      }
    });
  }
}
