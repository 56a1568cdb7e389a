import { seeded, setUp } from './support/discord-life.ts';
import { linkFor, roleHolders } from './support/holders.ts';
import { expect, test } from './support/own-database.ts';
import { installWallet, walletAddress } from './support/sui-wallet.ts';
import { callAs } from './support/telegram-groups.ts';

test.use({ worldOf: 'discord-own-database' });

const expired = 'This link has expired: links last 15 minutes. Use /verify in your Discord server to get a new one.';

/** Rulings R5: a link is valid for 15 minutes. Real links of the real bot; only their expiry is moved. */
test('an expired link says so, even while the message waits for a signature, and a new link works, even with a wrong clock', async ({
  page,
  signIn,
  complaints,
  product,
  database: { pool },
}) => {
  const { memberIds } = await seeded(product);
  const member = memberIds[2] ?? '';
  await signIn();
  await callAs(page, 'POST', '/api/discord/init');
  await expect.poll(async () => ((await product.observe('/control/discord/commands')) as []).length).toBe(6);
  await setUp(product);
  await expect
    .poll(async () => JSON.stringify(await product.observe('/control/discord/interactions')))
    .toContain('Set up');
  await product.control('/control/mint', { address: walletAddress() });
  await installWallet(page);
  const expire = () => pool.query("update discord_verifications set expires_at = now() - interval '1 second'");

  await page.goto(await linkFor(product, member));
  await expect(page.getByText('For @marble.mo (Marble Mo) in the Discord server Rock Mountain')).toContainText(
    'expires in 15 min',
  );
  await page.getByRole('button', { name: 'Cave Wallet' }).click();
  await expect(page.getByText('Nonce:')).toBeVisible();
  await expire();
  await page.getByRole('button', { name: 'Sign in wallet' }).click();
  await expect(page.getByRole('alert')).toHaveText(expired);
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText(expired);
  await expect(page.getByRole('link', { name: 'Back to Discord' })).toBeVisible();
  // The browser itself reports each 410.
  expect(complaints.filter((text) => !text.includes('status of 410'))).toEqual([]);
  complaints.length = 0;

  // The visitor's clock is an hour ahead: by that clock the new link would have expired, too.
  await page.clock.setFixedTime(Date.now() + 3_600_000);
  await page.goto(await linkFor(product, member));
  await expect(page.getByText('For @marble.mo (Marble Mo) in the Discord server Rock Mountain')).toContainText(
    'expires in 15 min',
  );
  await page.getByRole('button', { name: 'Cave Wallet' }).click();
  await page.getByRole('button', { name: 'Sign in wallet' }).click();
  await expect(page.getByRole('heading', { name: 'You have the role' })).toBeVisible();
  await expect.poll(() => roleHolders(product)).toContain(member);
});
