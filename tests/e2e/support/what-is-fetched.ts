import { expect, type Page } from '@playwright/test';

interface Fetched {
  calls: { path: string; atMs: number }[];
  unreadCount: number;
}
declare global {
  interface Window {
    fetched: Fetched;
  }
}

/** Records in the page, by the page's own clock, what it fetches and how many answers it has not fully read. */
export async function noteWhatIsFetched(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const fetched: Fetched = { calls: [], unreadCount: 0 };
    window.fetched = fetched;
    const fetchForReal = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      fetched.calls.push({ path: new URL(url, location.href).pathname, atMs: Date.now() });
      fetched.unreadCount += 1;
      try {
        const answer = await fetchForReal(input, init);
        await answer.clone().arrayBuffer();
        return answer;
      } finally {
        fetched.unreadCount -= 1;
      }
    };
  });
}

export async function everyAnswerRead(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => window.fetched.unreadCount)).toBe(0);
}

/** When a path was fetched since then, in milliseconds of the page's clock. */
export function fetchedAtMs(page: Page, path: string, sinceMs: number): Promise<number[]> {
  return page.evaluate(
    ([asked, since]) =>
      window.fetched.calls.filter((call) => call.path === asked && call.atMs >= since).map((call) => call.atMs),
    [path, sinceMs] as const,
  );
}
