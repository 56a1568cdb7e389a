import type { Page } from '@playwright/test';
import { test } from './support/admin.ts';
import { answering } from './support/answers.ts';
import { testForEverybody } from './support/for-everybody.ts';
import { configuration, message, status } from './support/telegram-answers.ts';

const open = '/admin?tab=telegram&view=configurations';

test.describe('the tab for everybody', () => {
  const long = 'An extraordinarily long-winded name of boulders and pebbles without an end '.repeat(3);
  const show = async (page: Page): Promise<void> => {
    const deleted = configuration({ id: '9', deletedAt: '2026-11-19T10:00:00.000Z' });
    await answering(page, '/api/telegram/status', status());
    await answering(page, '/api/telegram/deleted-configs', [deleted]);
    await answering(page, '/api/telegram/configs', [
      configuration({ failedCount: 2, mintStats: { mintedCount: 555 } }),
      configuration({
        id: '2',
        collectionName: long,
        chatTitle: 'x'.repeat(200),
        maxSupply: null,
        chatState: 'trouble',
      }),
      configuration({ id: '3', mintStats: { mintedCount: 999_999_999 }, maxSupply: 1_000_000_000 }),
    ]);
    const failed = message({ id: '21', state: 'failed', reason: 'y'.repeat(300), preview: 'z'.repeat(200) });
    await answering(page, '/api/telegram/configs/1/deliveries', {
      messages: [failed, message({ isDoubtful: true })],
      nextBefore: '20',
    });
  };
  const places = [
    ['status', '/admin?tab=telegram', async () => {}],
    ['list', open, async (page: Page) => page.getByText('Recently deleted').click()],
    ['deliveries', `${open}&deliveries=1`, async () => {}],
    ['hex ID', open, async (page: Page) => page.getByRole('button', { name: 'Edit hex ID' }).first().click()],
    ['delete', open, async (page: Page) => page.getByRole('button', { name: 'Delete' }).first().click()],
  ] as const;

  testForEverybody('the bot and its configurations', places, show, 375);
});
