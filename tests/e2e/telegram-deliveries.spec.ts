import type { Page } from '@playwright/test';
import { until } from '../support/until.ts';
import { expect, test, toast } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import { configuration, message } from './support/telegram-answers.ts';
import { callAs, history, setUpGroup } from './support/telegram-groups.ts';

test.use({ productEnv: { TRACKER_POLL_MIN_MS: '300', TRACKER_POLL_MAX_MS: '400' } });

const open = '/admin?tab=telegram&view=configurations';
const messages = (page: Page) => page.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem');
const fact = (page: Page, name: string) =>
  page.locator('dl > div').filter({ has: page.locator('dt').getByText(name, { exact: true }) });

test.describe('rulings R6: the deliveries of a chat', () => {
  test('list what was sent, send a test that arrives, and lead back to the row', async ({ page, signIn, product }) => {
    await signIn(open);
    const { chatId, configuration: real } = await setUpGroup(page, product, 'Cave of echoes');
    await page.getByRole('button', { name: 'Refresh' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Cave of echoes' });
    await row.getByRole('button', { name: 'Deliveries' }).click();
    await expect(page.getByRole('heading', { name: 'Deliveries to Cave of echoes' })).toBeFocused();
    await expect(page.getByText('Nothing has been sent to this chat yet.')).toBeVisible();
    await expect(fact(page, 'Chat')).toContainText('OK');
    await expect(fact(page, 'Chat ID')).toContainText(String(chatId));

    const asked = page.waitForRequest('**/send-test');
    await page.getByRole('button', { name: 'Send test' }).click();
    expect(new URL((await asked).url()).pathname).toBe(`/api/telegram/configs/${real.id}/send-test`);
    await expect(toast(page)).toContainText('Test message queued');
    await expect(messages(page).first()).toContainText('Test');
    // Without a press of Refresh: the page watches messages that are not sent yet.
    await expect(messages(page).first()).toContainText('Sent');
    const before = (await history(product, chatId)).length;

    await product.control('/control/burst', { collection: 'rocks', kind: 'list', count: 1, priceMist: '3000000000' });
    await until('the listing is told in the group', async () => (await history(product, chatId)).length > before);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(messages(page)).toHaveCount(2);
    await expect(messages(page).first()).toContainText('Card');
    await expect(fact(page, 'Source')).toContainText('Last read');

    await page.getByRole('button', { name: 'All configurations' }).click();
    await expect(row.getByRole('button', { name: 'Deliveries' })).toBeFocused();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Deliveries to Cave of echoes' })).toBeVisible();
  });

  test('a chat that removed the bot says so, with the day of the purge, and no test can be sent', async ({
    page,
    signIn,
    product,
  }) => {
    await signIn(open);
    const { chatId, ownerId, configuration: real } = await setUpGroup(page, product, 'Cave of no bots');
    await product.control('/control/telegram/set-bot', { chatId, status: 'kicked', byUserId: ownerId });
    const isRemoved = async (): Promise<boolean> => {
      const all = (await callAs(page, 'GET', '/api/telegram/configs')) as readonly { id: string; chatState: string }[];
      return all.find(({ id }) => id === real.id)?.chatState === 'removed';
    };
    await until('the bot knows that it was removed', isRemoved);
    await page.getByRole('button', { name: 'Refresh' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Cave of no bots' });
    await expect(row).toContainText('Bot removed');
    await page.getByRole('button', { name: 'Needs attention' }).click();
    await row.getByRole('button', { name: 'Deliveries' }).click();
    await expect(fact(page, 'Chat')).toContainText('The bot was removed from this chat.');
    await expect(fact(page, 'Chat')).toContainText(/deleted for good on \d+ \w+ 20\d\d/);
    await expect(page.getByRole('button', { name: 'Send test' })).toBeDisabled();
    await expect(page.getByRole('main')).toContainText('No test can be sent: the bot is not in this chat.');
  });

  test("show failures with the platform's own reason, doubtful messages, and older messages on demand", async ({
    page,
    signIn,
  }) => {
    const trouble = 'Bad Request: not enough rights to send text messages to the chat';
    const source = {
      lastCheckedAt: '2026-11-20T12:00:00.000Z',
      lastSucceededAt: '2026-11-20T10:00:00.000Z',
      failure: 'timeout',
    };
    const one = configuration({
      chatState: 'trouble',
      trouble: `Telegram says: ${trouble}.`,
      source,
      pendingCount: 2,
      failedCount: 1,
      doubtfulCount: 1,
    });
    await answering(page, '/api/telegram/configs', [one]);
    await page.route('**/api/telegram/configs/1/deliveries*', (route) => {
      const isOlder = new URL(route.request().url()).searchParams.get('before') === '18';
      const newest = [
        message({ id: '20', state: 'failed', sentAt: null, attempts: 3, reason: trouble }),
        message({ id: '19', isDoubtful: true }),
        message({ id: '18', kind: 'folded', eventCount: 12, state: 'dropped', reason: 'configuration-replaced' }),
      ];
      const page = isOlder ? [message({ id: '7', preview: 'The oldest of all' })] : newest;
      return route.fulfill({ json: { data: { messages: page, nextBefore: isOlder ? null : '18' } } });
    });
    await signIn(`${open}&deliveries=1`);
    await expect(fact(page, 'Chat')).toContainText(`Telegram says: ${trouble}.`);
    await expect(fact(page, 'Source')).toContainText('Failing: the marketplace does not answer in time. Last read');
    await expect(fact(page, 'Waiting')).toContainText('2');
    await expect(fact(page, 'Failed')).toContainText('1');
    await expect(fact(page, 'Doubtful')).toHaveText(/1 may have arrived twice/);
    await expect(messages(page).nth(0)).toContainText('Failed');
    await expect(messages(page).nth(0)).toContainText(`3 attempts`);
    await expect(messages(page).nth(0)).toContainText(trouble);
    await expect(messages(page).nth(1)).toContainText('Doubtful: it may have arrived twice');
    await expect(messages(page).nth(2)).toContainText('Folded card of 12 events');
    await expect(messages(page).nth(2)).toContainText('The group was set up again before this was sent.');
    await page.getByRole('button', { name: 'Older' }).click();
    await expect(messages(page).last()).toContainText('The oldest of all');
    await expect(messages(page)).toHaveCount(4);
    await expect(page.getByRole('button', { name: 'Older' })).toHaveCount(0);
  });

  test('retry a failed message; a refusal by the server is shown', async ({ page, signIn, complaints }) => {
    await answering(page, '/api/telegram/configs', [configuration({ failedCount: 1 })]);
    const failed = message({ state: 'failed', sentAt: null, reason: 'Bad Request: message text is empty' });
    await answering(page, '/api/telegram/configs/1/deliveries', { messages: [failed], nextBefore: null });
    await signIn(`${open}&deliveries=1`);
    // The real server does not know this message and says so.
    await messages(page).first().getByRole('button', { name: 'Retry' }).click();
    await expect(toast(page)).toContainText('Retry Failed');
    await expect(toast(page)).toContainText('Failed to retry the message: There is no such message');
    forgiveStatus(complaints, 404);
    await answering(page, '/api/telegram/messages/20/retry', { ...failed, state: 'pending' });
    const asked = page.waitForRequest('**/api/telegram/messages/20/retry');
    const again = page.waitForRequest('**/deliveries');
    await messages(page).first().getByRole('button', { name: 'Retry' }).click();
    expect((await asked).method()).toBe('POST');
    await expect(toast(page)).toContainText('Message queued again');
    await again;
  });

  test('a message refused by Telegram shows its reason, and a retry sends it', async ({ page, signIn, product }) => {
    await signIn(open);
    const { chatId, configuration: real } = await setUpGroup(page, product, 'Cave of refusals');
    await product.control('/control/telegram/refuse-next', { chatId });
    await signIn(`${open}&deliveries=${real.id}`);
    await page.getByRole('button', { name: 'Send test' }).click();
    const line = messages(page).first();
    await expect(line).toContainText('Failed');
    await expect(line).toContainText('Bad Request: message is too long');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(fact(page, 'Failed')).toContainText('1');
    await line.getByRole('button', { name: 'Retry' }).click();
    await expect(line).toContainText('Sent');
    await expect(line.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    await expect(fact(page, 'Failed')).toContainText('0');
    expect((await history(product, chatId)).at(-1)?.text).toContain('sample');
  });

  test('say when the configuration does not exist', async ({ page, signIn }) => {
    await signIn(`${open}&deliveries=99`);
    await expect(page.getByRole('status').filter({ hasText: 'There is no configuration 99' })).toBeVisible();
  });
});
