import type { Page } from '@playwright/test';
import { expect, test, toast } from './support/admin.ts';
import { answering, forgiveStatus } from './support/answers.ts';
import {
  explanation,
  failedAction,
  guild,
  member,
  online,
  statistics,
  waitingRemoval,
} from './support/discord-answers.ts';

const open = '/admin?view=servers&statistics=30000001';
const path = '/api/discord/guilds/30000001';
const fact = (page: Page, name: string) =>
  page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd');

const nobody = { members: [], nextAfter: null };
async function show(page: Page, more: Parameters<typeof statistics>[0] = {}, members: object = nobody): Promise<void> {
  await online(page, [guild()]);
  await answering(page, `${path}/statistics`, statistics(more));
  await answering(page, `${path}/members`, members);
}

test.describe('rulings R5: server statistics', () => {
  test('show members, verified, role holders, wallets, pending removals, failures and the last sweep', async ({
    page,
    signIn,
  }) => {
    await show(page);
    await signIn(open);
    const shown = {
      Members: '1,204',
      Verified: '200',
      'Verified role holders': '151',
      'Wallets linked': '260',
      'Authorized wallets': '2',
      'Waiting for a second check': '4',
      'Pending removals': '3',
      'Could not be read': '5',
      'In the queue': '7',
      Failures: '0',
    };
    for (const [name, text] of Object.entries(shown)) await expect(fact(page, name)).toHaveText(text);
    await expect(fact(page, 'Last sweep')).toContainText(
      '200 checked in 1.2 s: 150 hold, 45 do not, 5 could not be read',
    );
  });

  test('list members with the role from another bot or by hand, if they are known', async ({ page, signIn }) => {
    await show(page);
    const members = [{ userId: '5', displayName: 'Bedrock Bea' }];
    await answering(page, `${path}/unverified-holders`, { count: 61, isComplete: false, members });
    await signIn(open);
    const section = page.getByRole('region', { name: 'At least 61 members have the role and no linked wallet' });
    await expect(section).toContainText('from another bot or by hand');
    await section.getByText('Who they are').click();
    await expect(section.getByRole('listitem')).toHaveText(['Bedrock Bea', 'and 60 more']);
    await answering(page, `${path}/unverified-holders`, { count: 'many', members: 'some' });
    await page.reload();
    await expect(fact(page, 'Members')).toHaveText('1,204');
    await expect(section).toHaveCount(0);
  });

  test('say when the next sweep is, and why the last one could not read every wallet', async ({ page, signIn }) => {
    const soon = new Date(Date.now() + 600_000).toISOString();
    const lastSweep = {
      at: soon,
      checked: 9,
      holding: 3,
      notHolding: 0,
      unknown: 6,
      durationMs: 1_200,
      failure: 'marketplace-key-missing',
    };
    await show(page, { nextSweepAt: soon, lastSweep });
    await signIn(open);
    await expect(fact(page, 'Next sweep')).toHaveText(/in (9|10) min/);
    const last = fact(page, 'Last sweep');
    await expect(last).toContainText('9 checked in 1.2 s: 3 hold, 0 do not, 6 could not be read');
    await expect(last).toContainText(
      'Not every wallet could be read: marketplace key missing. No role was removed because of it.',
    );
  });

  test('say once why role changes wait', async ({ page, signIn }) => {
    const pauseReason = 'Discord does not answer right now; the bot tries again by itself.';
    await show(page, { pauseReason });
    await signIn(open);
    await expect(page.getByText(`Role changes wait: ${pauseReason}`)).toBeVisible();
  });

  test('say when they cannot be read, and never show zero instead', async ({ page, signIn, complaints }) => {
    await show(page);
    await answering(page, `${path}/statistics`, { message: 'Come back later.', code: 'away' }, 503);
    await answering(page, `${path}/members`, { message: 'Come back later.', code: 'away' }, 503);
    await signIn(open);
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to load the statistics' })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to load the members' })).toBeVisible();
    await expect(page.getByText('Nobody has linked a wallet yet.')).toHaveCount(0);
    forgiveStatus(complaints, 503);
  });

  test('show what Discord refused, with its fix, and say that it is tried again', async ({ page, signIn }) => {
    await show(page, { failedActionCount: 61, failedActions: [failedAction()] });
    await signIn(open);
    await expect(fact(page, 'Failures')).toHaveText('61');
    const failures = page.getByRole('list', { name: 'What Discord refused' });
    await expect(failures).toContainText('Give the role: Gwen');
    await expect(failures).toContainText("Drag the bot's role above it.");
    await expect(page.getByText('The bot tries again by itself, within an hour.')).toBeVisible();
  });
});

test.describe('rulings R5: a removal of many roles waits for an admin', () => {
  for (const [button, word, confirm, title] of [
    ['Approve', 'approve', 'Remove the role from 41', 'Removal approved'],
    ['Refuse', 'refuse', 'Keep it for 41', 'Removal refused'],
  ] as const) {
    test(`'${button}' shows the numbers before it does anything`, async ({ page, signIn }) => {
      await show(page, { waitingRemoval: waitingRemoval() });
      await signIn(open);
      const card = page.getByRole('region', { name: 'Removing 41 roles needs your approval' });
      await expect(card.getByText('Gwen')).toBeHidden();
      await card.getByText('Who would lose it (41)').click();
      await expect(card.getByText('Gwen')).toBeVisible();
      await expect(card.getByText('and 39 more')).toBeVisible();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await card.getByRole('button', { name: button }).click();
      const asking = page.getByRole('alertdialog');
      await expect(asking).toContainText('41 of 200 members');
      await expect(asking.getByRole('button', { name: 'Cancel' })).toBeFocused();
      expect(asked.filter((call) => call.includes('removals'))).toEqual([]);
      await answering(page, `/api/discord/removals/5/${word}`, { ok: true });
      await answering(page, `${path}/statistics`, statistics());
      await asking.getByRole('button', { name: confirm }).click();
      await expect(toast(page)).toContainText(title);
      expect(asked).toContain(`POST /api/discord/removals/5/${word}`);
      await expect(card).toHaveCount(0);
    });
  }

  test('a removal that another admin decided meanwhile says so', async ({ page, signIn, complaints }) => {
    await show(page, { waitingRemoval: waitingRemoval() });
    await answering(page, '/api/discord/removals/5/approve', { message: 'It was decided already.', code: 'd' }, 409);
    await signIn(open);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('button', { name: 'Remove the role from 41' }).click();
    await expect(toast(page)).toContainText('Failed to approve removal');
    await expect(page.getByRole('alertdialog').getByRole('alert')).toHaveText('It was decided already.');
    forgiveStatus(complaints, 409);
  });
});

test.describe('rulings R6: members', () => {
  const list = (page: Page) => page.getByRole('list', { name: 'Members with a wallet or the role' });

  test('are listed with state and role, a page at a time', async ({ page, signIn }) => {
    const ben = member({ userId: '60000002', displayName: 'Ben', roleState: 'grace', walletCount: 1, hasRole: null });
    await show(page);
    await page.route(`**${path}/members**`, (route) => {
      const isSecond = route.request().url().includes('after=60000001');
      const data = isSecond ? { members: [ben], nextAfter: null } : { members: [member()], nextAfter: '60000001' };
      return route.fulfill({ json: { data } });
    });
    await signIn(open);
    await expect(list(page).getByRole('listitem')).toHaveCount(1);
    await expect(list(page)).toContainText('Holder');
    await expect(list(page)).toContainText('Role: Assigned · 2 wallets');
    await page.getByRole('button', { name: 'More' }).click();
    await expect(list(page).getByRole('listitem').last()).toContainText('Role ends soon');
    await expect(list(page).getByRole('listitem').last()).toContainText('Not known yet · 1 wallet');
    await expect(page.getByRole('button', { name: 'More' })).toHaveCount(0);
  });

  test('are searched on the server, with one request for what was typed', async ({ page, signIn }) => {
    await show(page, {}, { members: [member()], nextAfter: null });
    await signIn(open);
    await expect(list(page)).toContainText('Gwen');
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('search=') && asked.push(new URL(request.url()).search));
    await answering(page, `${path}/members`, nobody);
    await page.getByRole('searchbox').pressSequentially('0xab');
    await expect(page.getByText('No member matches this search.')).toBeVisible();
    expect(asked).toEqual(['?search=0xab']);
    await answering(page, `${path}/members`, { members: [member()], nextAfter: null });
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(list(page)).toContainText('Gwen');
  });

  test('when no member has verified yet, the page says so', async ({ page, signIn }) => {
    await show(page);
    await signIn(open);
    await expect(page.getByText('Nobody has linked a wallet yet.')).toBeVisible();
  });

  test("'Explain' shows the rule, wallet by wallet, and 'Check now' checks again", async ({ page, signIn }) => {
    await show(page, {}, { members: [member()], nextAfter: null });
    await answering(page, `${path}/members/60000001`, explanation());
    await signIn(open);
    await page.getByRole('button', { name: 'Explain Gwen' }).click();
    await expect(page.getByRole('heading', { name: 'Gwen' })).toBeFocused();
    await expect(page).toHaveURL(/member=60000001/);
    const sentences = page.getByRole('list', { name: 'Explanation' }).getByRole('listitem');
    await expect(page.getByText('What /why tells the member:')).toBeVisible();
    await expect(sentences).toHaveText(explanation().sentences);
    await expect(fact(page, 'State')).toHaveText('Role ends soon');
    await expect(page.getByRole('list', { name: 'Wallets' })).toContainText('3 rocks: 1 in the wallet, 2 in kiosks');
    const found = explanation({ roleState: 'holder', answer: 'holds', sentences: ['The role is given.'] });
    await answering(page, `${path}/members/60000001`, found);
    await answering(page, `${path}/members/60000001/resolve`, found);
    const asked = page.waitForRequest('**/resolve');
    await page.getByRole('button', { name: 'Check now' }).click();
    expect((await asked).method()).toBe('POST');
    await expect(toast(page)).toContainText('Gwen: Holds');
    await expect(sentences).toHaveText(['The role is given.']);
    await page.getByRole('button', { name: 'Statistics of Cave of Ogg' }).click();
    await expect(page.getByRole('button', { name: 'Explain Gwen' })).toBeFocused();
  });

  test('a check that fails says so and keeps what was known', async ({ page, signIn, complaints }) => {
    await show(page);
    await answering(page, `${path}/members/60000001`, explanation());
    await answering(page, `${path}/members/60000001/resolve`, { message: 'Not now.', code: 'away' }, 503);
    await signIn(`${open}&member=60000001`);
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(toast(page)).toContainText('Failed to check');
    await expect(toast(page)).toContainText('Not now.');
    await expect(fact(page, 'State')).toHaveText('Role ends soon');
    forgiveStatus(complaints, 503);
  });
});
