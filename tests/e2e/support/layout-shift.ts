import type { Page, Route } from '@playwright/test';

export const windows = [
  { name: 'phone', size: { width: 412, height: 823 } },
  { name: 'desktop', size: { width: 1280, height: 800 } },
] as const;

/** A shift of the whole window is 1; the heading of one column that moves by a few pixels is less than this. */
const visibleShift = 0.001;

const untilPainted = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/**
 * What moves when the answers to a page's calls arrive after the page was drawn, each after the one before was painted. A shift below
 * 0.001 in all is none.
 */
export async function whatMoves(page: Page, path: string): Promise<string[]> {
  const drawn = Promise.withResolvers<void>();
  let turn = drawn.promise;
  const answerInTurn = async (route: Route, before: Promise<void>): Promise<void> => {
    await before;
    await route.continue();
    await (await route.request().response())?.finished();
    await untilPainted(page);
  };
  await page.route('**/api/**', (route) => (turn = answerInTurn(route, turn)));
  const asked = page.waitForRequest('**/api/**');
  await page.goto(path);
  await asked;
  await page.evaluate(async () => {
    await document.fonts.ready;
    const moved: { shift: number; what: string }[] = [];
    const what = ({ sources }: LayoutShift): string =>
      sources.map(({ node }) => node?.textContent?.trim().slice(0, 60) ?? '').join(' | ');
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as LayoutShift[])
        moved.push({ shift: entry.value, what: what(entry) });
    }).observe({ type: 'layout-shift' });
    Object.assign(window, { moved });
  });
  drawn.resolve();
  await page.waitForLoadState('networkidle');
  await untilPainted(page);
  const moved = await page.evaluate(() => (window as unknown as { moved: { shift: number; what: string }[] }).moved);
  await page.unrouteAll({ behavior: 'wait' });
  const all = moved.reduce((sum, { shift }) => sum + shift, 0);
  return all < visibleShift ? [] : moved.map(({ shift, what }) => `${shift.toFixed(4)}: ${what}`);
}

/** Layout Instability API; TypeScript's types of the browser lack it. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}
