import type { Page } from '@playwright/test';
import { test } from './support/admin.ts';
import { answering } from './support/answers.ts';
import {
  authorized,
  config,
  dryRun,
  explanation,
  failedAction,
  guild,
  member,
  online,
  statistics,
  unconfigured,
  waitingRemoval,
  wallet,
} from './support/discord-answers.ts';
import { testForEverybody } from './support/for-everybody.ts';

const servers = '/admin?view=servers';
const path = '/api/discord/guilds/30000001';

test.describe('the tab for everybody', () => {
  const long = 'An extraordinarily long-winded name of boulders and pebbles without an end '.repeat(3);
  const problem = { code: 'no-role', message: long, fix: 'x'.repeat(300) };
  const show = async (page: Page): Promise<void> => {
    await online(page, [
      guild({ problems: [problem, { ...problem, code: 'other' }], hasWaitingRemoval: true }),
      unconfigured({ name: 'y'.repeat(100), memberCount: 999_999_999 }),
      guild({ id: '30000003', name: long, config: config({ nftName: long, roleId: '41', channelId: '51' }) }),
    ]);
    await answering(
      page,
      `${path}/statistics`,
      statistics({
        waitingRemoval: waitingRemoval(),
        failedActions: [failedAction({ failure: 'z'.repeat(300) }), failedAction({ id: '72' })],
        lastSweep: {
          at: '2026-11-20T10:00:00.000Z',
          checked: 20,
          holding: 9,
          notHolding: 9,
          unknown: 2,
          durationMs: 40_000,
          failure: 'timeout',
        },
      }),
    );
    const members = [
      member(),
      member({
        userId: '60000002',
        displayName: long,
        roleState: 'braked',
        hasRole: null,
        answeredAt: null,
        isInGuild: false,
      }),
    ];
    await answering(page, `${path}/members`, { members, nextAfter: '60000002' });
    await answering(
      page,
      `${path}/members/60000001`,
      explanation({ sentences: [long, 'w'.repeat(200)], removalDueAt: '2036-11-20T12:00:00.000Z' }),
    );
    await answering(page, `${path}/wallets`, [
      authorized({ reason: long, expiresAt: '2036-11-20T12:00:00.000Z' }),
      authorized({ id: '4', isActive: false, removedAt: '2026-11-20T12:00:00.000Z', removedBy: 'ogg' }),
    ]);
    await answering(page, `${path}/dry-run`, dryRun({ foundName: long }));
  };
  const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();
  const serverPlaces = [
    ['status', '/admin', async () => {}],
    ['servers', servers, press('Details')],
    [
      'configure',
      servers,
      async (page: Page) => {
        await press('Configure')(page);
        await page.getByText('More', { exact: true }).click();
        await press('Dry run')(page);
        await page.getByText('Who would lose it').click();
      },
    ],
  ] as const;
  const ofOneServer = [
    ['statistics', `${servers}&statistics=30000001`, async (page: Page) => page.getByText('Who would lose it').click()],
    ['approve', `${servers}&statistics=30000001`, press('Approve')],
    ['member', `${servers}&statistics=30000001&member=60000001`, async () => {}],
    ['wallets', `${servers}&wallets=30000001`, async () => {}],
    ['authorize', `${servers}&wallets=30000001`, press('Authorize a wallet')],
    ['remove-wallet', `${servers}&wallets=30000001`, press(`Remove ${wallet.slice(0, 6)}`)],
  ] as const;

  const parts = [
    ['the bot and its servers', serverPlaces],
    ['the views of one server', ofOneServer],
  ] as const;

  for (const [part, places] of parts) testForEverybody(part, places, show, 390);
});
