import type { Locator } from '@playwright/test';

/**
 * Waits until the browser program has taken over a prerendered element. Before that a click on a link loads the document
 * and a click on a button is lost, as on every prerendered page. React leaves its props on each element it has taken over.
 */
export async function alive(element: Locator): Promise<void> {
  const handle = await element.elementHandle();
  const isTakenOver = (node: object | null): boolean =>
    node !== null && Object.keys(node).some((key) => key.startsWith('__reactProps$'));
  await element.page().waitForFunction(isTakenOver, handle);
  // The page's first effects run behind that; when the browser is idle they are done.
  await element.page().evaluate(() => new Promise((done) => requestIdleCallback(done)).then(() => undefined));
}
