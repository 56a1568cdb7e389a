import { expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';

test.use({ productEnv: { DISCORD_BOT_TOKEN: '' } });

test('rulings R1: without a token the tab says so and how to set one, and the server refuses to start the bot', async ({
  page,
  signIn,
  complaints,
}) => {
  await signIn();
  const card = page.getByRole('region', { name: 'Bot Status' });
  await expect(card.getByText('Offline', { exact: true })).toBeVisible();
  await expect(card.getByText('Not configured', { exact: true })).toBeVisible();
  const howTo = page.getByRole('region', { name: 'Give the bot a token' });
  await expect(howTo).toContainText('discord.com/developers');
  await expect(howTo).toContainText('DISCORD_BOT_TOKEN');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(toast(page)).toContainText('Failed to initialize bot');
  await expect(toast(page)).toContainText('There is no bot token.');
  await page.getByRole('tab', { name: 'Servers' }).click();
  await expect(page.getByText('Bot is offline. Start the bot to view connected servers.')).toBeVisible();
  forgiveStatus(complaints, 409);
});
