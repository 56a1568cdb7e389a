import { bareAnswers, meetBareServer } from './support/bare-answers.ts';
import { expect, test } from './support/browser.ts';

/** The browser reports each call that the bare server does not know. Any other complaint fails the test. */
const forgiveUnknownCalls = (complaints: string[]): void => {
  expect(complaints.filter((text) => !text.includes('status of 404'))).toEqual([]);
  complaints.length = 0;
};

for (const path of ['/', '/nft', '/telegram', '/privacy']) {
  test(`rulings R2: ${path} works on a server that knows only specification 7`, async ({ page, complaints }) => {
    await meetBareServer(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    if (path === '/' || path === '/nft')
      await expect(page.getByText(/unavailable right now|cannot be read right now/)).toBeVisible();
    forgiveUnknownCalls(complaints);
  });
}

test('rulings R2: /rockfolio works on a server that knows only specification 7', async ({ page, complaints }) => {
  await meetBareServer(page);
  await page.goto('/rockfolio');
  const main = page.getByRole('main');
  await expect(page.getByRole('group', { name: 'Total Value' })).toContainText('$2,400.25');
  await expect(page.getByRole('group', { name: 'SUI Holdings' })).toContainText('500.5 SUI');
  await expect(page.getByRole('group', { name: 'NFT Holdings' })).toContainText('3 NFTs');
  await expect(page.getByRole('list', { name: 'Token Holdings' }).getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('table', { name: 'NFT Holdings' })).toContainText('Other Rocks');
  await expect(page.getByText('Sample figure')).toHaveCount(0);
  await expect(page.getByText('could not be shown')).toHaveCount(0);
  // Sections are left out when the answer lacks their fields.
  for (const name of ['Value per rock', 'Actual against target allocation']) {
    await expect(main.getByRole('region', { name })).toHaveCount(0);
  }
  forgiveUnknownCalls(complaints);
});

test("rulings R2: '/rockfolio' without data shows the sample figures, and no list", async ({ page, complaints }) => {
  await meetBareServer(page, { '/api/treasury/balance': { data: {} } });
  await page.goto('/rockfolio');
  await expect(page.getByRole('group', { name: 'Total Value' })).toContainText('$1,247.50');
  await expect(page.getByRole('group', { name: 'SUI Holdings' })).toContainText('8,420.3 SUI');
  await expect(page.getByRole('group', { name: 'NFT Holdings' })).toContainText('0 NFTs');
  await expect(page.getByText('Sample figure: live data unavailable')).toHaveCount(2);
  await expect(page.getByRole('list', { name: 'Token Holdings' })).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'NFT Holdings' })).toHaveCount(0);
  forgiveUnknownCalls(complaints);
});

test('the bare answers cover every GET of specification 7', () => {
  expect(Object.keys(bareAnswers)).toEqual([
    '/api/auth/check',
    '/api/treasury/balance',
    '/api/telegram/status',
    '/api/telegram/configs',
    '/api/discord/invite-url',
    '/api/discord/guilds',
  ]);
});
