import { expect, test, toast } from './support/admin.ts';
import { forgiveStatus } from './support/answers.ts';

test.use({ productEnv: { TELEGRAM_BOT_TOKEN: '' } });

test('rulings R1: without a token the tab says so and how to set one, and the server refuses to initialize the bot', async ({
  page,
  signIn,
  complaints,
}) => {
  await signIn('/admin?tab=telegram');
  const card = page.getByRole('region', { name: 'Bot Status' });
  await expect(card.getByText('Inactive', { exact: true })).toBeVisible();
  await expect(card.getByText('Not configured', { exact: true })).toBeVisible();
  const howTo = page.getByRole('region', { name: 'Give the bot a token' });
  await expect(howTo).toContainText('@BotFather');
  await expect(howTo).toContainText('TELEGRAM_BOT_TOKEN');
  await page.getByRole('button', { name: 'Initialize Bot' }).click();
  await expect(toast(page)).toContainText('Initialization Failed');
  await expect(toast(page)).toContainText('Failed to initialize Telegram bot: There is no bot token.');
  forgiveStatus(complaints, 409);
});
