import type { Page, Request } from '@playwright/test';
import type { Json } from '../support/answer-variants.ts';
import { adminPlaces, fullAdminAnswers, numbersIn } from '../support/full-admin-answers.ts';
import { bareAnswers, meetBareServer } from './support/bare-answers.ts';
import { expect, test } from './support/browser.ts';

/** The browser reports each call that the bare server does not know. Any other complaint fails the test. */
const forgiveUnknownCalls = (complaints: string[]): void => {
  expect(complaints.filter((text) => !text.includes('status of 404'))).toEqual([]);
  complaints.length = 0;
};

const open = async (page: Page, search = ''): Promise<void> => {
  await page.goto(search === '' ? '/admin' : `/admin?${search}`);
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
};

test.describe('rulings R2: on a server that knows only specification 7', () => {
  test.beforeEach(({ page }) => meetBareServer(page));
  test.afterEach(({ complaints }) => forgiveUnknownCalls(complaints));

  test('the Discord tab shows bot and servers', async ({ page }) => {
    await open(page);
    const card = page.getByRole('region', { name: 'Bot Status' });
    await expect(card).toContainText('Online');
    await expect(card).toContainText('rock-warden');
    await expect(card).toContainText('200000000000000001');
    await expect(page.getByLabel('Invite URL')).toHaveValue('https://discord.com/oauth2/authorize');
    await page.getByRole('tab', { name: 'Servers' }).click();
    await expect(page.getByRole('row', { name: 'Rock Mountain' })).toContainText(/41.*Sui Rocks.*Configured/s);
    await expect(page.getByRole('row', { name: 'Quarry' })).toContainText(/5.*Not configured.*Not Configured/s);
    await page.getByRole('button', { name: 'Details of Rock Mountain' }).click();
    await expect(page.getByText('ID 400000000000000001')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('the Telegram tab shows the status and the configurations', async ({ page }) => {
    await open(page, 'tab=telegram');
    const card = page.getByRole('region', { name: 'Bot Status' });
    await expect(card).toContainText(/Active.*Configurations.*1/s);
    await expect(card.getByRole('button', { name: 'Shutdown Bot' })).toBeVisible();
    await page.getByRole('tab', { name: 'Configurations' }).click();
    const row = page.getByRole('row', { name: /-10012345678…/ });
    await expect(row).toContainText(/Sui Rocks.*0x12345678.*Hex ID: 0xfeed.*Mints.*Sales.*Bids.*111 \/ 555.*20%/s);
    await expect(row).not.toContainText('Listings');
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('the calls of specification 7 go out exactly as described, and an empty answer is a success', async ({
    page,
  }) => {
    const calls: Request[] = [];
    page.on('request', (request) => request.method() !== 'GET' && calls.push(request));
    const sent = async (act: () => Promise<void>): Promise<readonly unknown[]> => {
      calls.length = 0;
      await act();
      await expect.poll(() => calls.length).toBe(1);
      const [call] = calls;
      expect(call?.headers()['if-match']).toBeUndefined();
      return [call?.method(), new URL(call?.url() ?? '').pathname, call?.postDataJSON()];
    };
    const dialog = page.getByRole('dialog');
    await open(page, 'tab=telegram&view=configurations');
    await page.getByRole('button', { name: 'Reset count' }).click();
    await expect(dialog.getByLabel('Minted count')).toHaveValue('111');
    expect(await sent(() => dialog.getByRole('button', { name: 'Reset' }).click())).toEqual([
      'POST',
      '/api/telegram/reset-mint-count/7',
      { count: 111 },
    ]);
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'Edit hex ID' }).click();
    expect(await sent(() => dialog.getByRole('button', { name: 'Save' }).click())).toEqual([
      'PUT',
      '/api/telegram/config/7',
      { hexCollectionId: '0xfeed' },
    ]);
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: /^Delete/ }).click();
    expect(await sent(() => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click())).toEqual([
      'DELETE',
      '/api/telegram/configs/7',
      null,
    ]);
    await open(page, 'view=servers');
    const configured = {
      nftContract: '0x2::rocks::Nft',
      nftName: 'Sui Rocks',
      guildId: '300000000000000001',
      roleId: '400000000000000001',
    };
    await page.getByRole('button', { name: 'Configure Rock Mountain' }).click();
    const save = () => dialog.getByRole('button', { name: 'Save Configuration' }).click();
    expect(await sent(save)).toEqual(['POST', '/api/discord/configure', configured]);
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'Configure Quarry' }).click();
    await dialog.getByLabel('NFT Contract').fill('0x2::rocks::Nft');
    const fresh = { ...configured, guildId: '300000000000000002', roleId: '' };
    expect(await sent(save)).toEqual(['POST', '/api/discord/configure', fresh]);
    await expect(dialog).toHaveCount(0);
  });

  test('a login whose answer holds only a username ends in the admin area', async ({ page }) => {
    let isSignedIn = false;
    await page.route('**/api/auth/check', (route) =>
      isSignedIn ? route.fulfill({ json: bareAnswers['/api/auth/check'] }) : route.fulfill({ json: { user: null } }),
    );
    await page.route('**/api/auth/login', (route) => {
      isSignedIn = true;
      return route.fulfill({ json: { user: { username: 'ada' } } });
    });
    await page.goto('/auth');
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill('rocks and stones');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByText('Welcome, ada!', { exact: true })).toBeVisible();
    await expect(page.getByText('Logged in as ada')).toBeVisible();
  });
});

/** Changes all fields of all answers at once; src/admin/web/dashboard.test.tsx changes single fields. */
const oddValues = { removed: undefined, null: null, 'of another type': { rock: true }, unheard: 'unheard-of' } as const;

/** Ids stay as they are: a row without one is not shown. */
const identity = /^(id|userId|wallet)$/;

function oddEverywhere(value: Json, odd: Json | undefined): Json {
  if (Array.isArray(value)) return value.map((entry: Json) => oddEverywhere(entry, odd));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]: [string, Json]): [string, Json][] => {
      if (identity.test(key)) return [[key, inner]];
      if (typeof inner === 'object' && inner !== null) return [[key, oddEverywhere(inner, odd)]];
      return odd === undefined ? [] : [[key, odd]];
    }),
  );
}

test('rulings R2: with odd fields no tab breaks, the browser reports nothing, and no number is invented', async ({
  page,
  complaints,
}) => {
  let way: keyof typeof oddValues | null = null;
  await meetBareServer(page);
  await page.route('**/api/**', (route) => {
    const full = fullAdminAnswers[new URL(route.request().url()).pathname];
    if (full === undefined) return route.fallback();
    return route.fulfill({ json: { data: way === null ? full : oddEverywhere(full, oddValues[way]) } });
  });
  await page.route('**/plan.json', (route) => route.fulfill({ json: {} }));
  const main = page.getByRole('main');
  /** Goes to a place without reloading the page, as its own links do. */
  const numbersAt = async (search: string): Promise<readonly string[]> => {
    await page.evaluate((address) => history.pushState(null, '', address), `/admin?${search}`);
    await expect(page.getByText('Loading...')).toHaveCount(0);
    const text = await main.innerText();
    expect(text, `${search}: every field ${way}`).not.toMatch(/could not be shown|rock fell|undefined|NaN|\[object/);
    return numbersIn(text);
  };
  const places = [...new Set(Object.values(adminPlaces))];
  await open(page);
  const known = new Map<string, readonly string[]>();
  const answered = new Set(numbersIn(JSON.stringify(fullAdminAnswers)));
  for (const search of places) known.set(search, await numbersAt(search));
  for (const next of Object.keys(oddValues) as (keyof typeof oddValues)[]) {
    way = next;
    await open(page);
    for (const search of places) {
      const shown = await numbersAt(search);
      // A missing name is replaced by the id, a missing address by the rocks: those numbers are in the answers.
      expect(
        shown.filter((number) => known.get(search)?.includes(number) === false && !answered.has(number)),
        `${search}: every field ${way}`,
      ).toEqual([]);
    }
  }
  expect(complaints).toEqual([]);
});

test('rulings R2: a section that throws fails alone, with a sentence and a retry button', async ({
  page,
  complaints,
}) => {
  // No answer makes a section throw, so here the browser itself does, at a long name that is not plain ASCII.
  await page.addInitScript(() => {
    Object.assign(Intl, {
      Segmenter: () => {
        throw new Error('a falling rock');
      },
    });
  });
  let name = 'fällender Stein '.repeat(10);
  await meetBareServer(page);
  await page.route('**/api/telegram/configs', (route) =>
    route.fulfill({ json: { data: [{ id: '7', chatId: '-1001', collectionName: name, collectionId: '0x1' }] } }),
  );
  await open(page, 'tab=telegram&view=configurations');
  await expect(page.getByText('The list of configurations could not be shown.')).toBeVisible();
  await page.getByRole('tab', { name: 'Bot Status' }).click();
  await expect(page.getByRole('button', { name: 'Shutdown Bot' })).toBeVisible();
  await page.getByRole('tab', { name: 'Configurations' }).click();
  await expect(page.getByText('The list of configurations could not be shown.')).toBeVisible();
  name = 'standing rock';
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('row', { name: /standing rock/ })).toBeVisible();
  expect(complaints.filter((text) => !/a falling rock|not a constructor|status of 404/.test(text))).toEqual([]);
  complaints.length = 0;
});
