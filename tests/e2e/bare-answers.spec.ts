import { bareAnswers, meetBareServer } from './support/bare-answers.ts';
import { expect, test } from './support/browser.ts';

/** The browser reports each call that a bare server does not know; nothing else may be reported. */
const forgiveUnknownCalls = (complaints: string[]): void => {
  expect(complaints.filter((text) => !text.includes('status of 404'))).toEqual([]);
  complaints.length = 0;
};

for (const path of ['/', '/nft', '/telegram', '/privacy']) {
  test(`rulings R2: ${path} bears a server that knows specification 7 alone`, async ({ page, complaints }) => {
    await meetBareServer(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    if (path === '/' || path === '/nft')
      await expect(page.getByText(/unavailable right now|cannot be read right now/)).toBeVisible();
    forgiveUnknownCalls(complaints);
  });
}

test('the bare answers are those of every GET of specification 7', () => {
  expect(Object.keys(bareAnswers)).toEqual([
    '/api/auth/check',
    '/api/treasury/balance',
    '/api/telegram/status',
    '/api/telegram/configs',
    '/api/discord/invite-url',
    '/api/discord/guilds',
  ]);
});
