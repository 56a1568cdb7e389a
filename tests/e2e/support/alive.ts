import type { Locator } from '@playwright/test';

/**
 * Waits until a prerendered element is hydrated. Before that a click on a link loads the document and a click on a button
 * is lost, as on every prerendered page. React leaves its props on each element it has hydrated.
 */
export async function alive(element: Locator): Promise<void> {
  const handle = await element.elementHandle();
  const isHydrated = (node: object | null): boolean =>
    node !== null && Object.keys(node).some((key) => key.startsWith('__reactProps$'));
  await element.page().waitForFunction(isHydrated, handle);
  // The page's first effects run after that; once the browser is idle they are done.
  await element.page().evaluate(() => new Promise((done) => requestIdleCallback(done)).then(() => undefined));
}
