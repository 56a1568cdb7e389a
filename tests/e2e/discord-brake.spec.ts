import type { Page } from '@playwright/test';
import type { Pool } from 'pg';
import { elapseDiscord } from '../support/elapse-discord.ts';
import type { Product } from '../support/product.ts';
import { toast } from './support/admin.ts';
import { seeded, setUp, verify } from './support/discord-life.ts';
import { addHolders, type Holder, roleHolders, trade } from './support/holders.ts';
import { expect, test } from './support/own-database.ts';
import { callAs } from './support/telegram-groups.ts';

test.use({ worldOf: 'discord-own-database' });

const count = 12;
const title = `Removing ${count} roles needs your approval`;
const buyer = `0x${'b'.repeat(64)}`;

const roleStates = async (pool: Pool): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ roleState: string; count: number }>(
    'select role_state as "roleState", count(*)::int as count from discord_members group by role_state',
  );
  return Object.fromEntries(rows.map((row) => [row.roleState, row.count]));
};

/**
 * Makes each check read the wallets themselves: a sweep's owner table is cached for a real minute, in which hours pass in this test,
 * and would show the owners from before the sale.
 */
const putOffSweeps = (pool: Pool) =>
  pool.query("update discord_guild_configs set sweep_due_at = clock_timestamp() + interval '7 days'");

/** They sell at the marketplace, and the engine checks each of them twice; the ten minutes in between are only simulated. */
async function sellOut(product: Product, pool: Pool, sellers: readonly Holder[]): Promise<void> {
  await putOffSweeps(pool);
  await trade(product, sellers, () => buyer);
  await expect.poll(() => roleStates(pool), { timeout: 20_000 }).toEqual({ holder: 1, doubt: count });
  await elapseDiscord(pool, 10.1);
  await expect.poll(() => roleStates(pool), { timeout: 20_000 }).toEqual({ holder: 1, braked: count });
}

/** Checks every member once more, hours later. */
async function checkMuchLater(pool: Pool): Promise<void> {
  await elapseDiscord(pool, 180);
  const { rows } = await pool.query<{ since: string }>('select clock_timestamp()::text as since');
  await pool.query("update discord_members set check_due_at = clock_timestamp(), check_cause = 'asked'");
  const late = 'select 1 from discord_members where answered_at < $1::timestamptz';
  await expect.poll(async () => (await pool.query(late, [rows[0]?.since])).rowCount, { timeout: 20_000 }).toBe(0);
}

async function messagesTo(product: Product, sellers: readonly Holder[]): Promise<readonly number[]> {
  const read = async ({ userId }: Holder) =>
    ((await product.observe(`/control/discord/direct-messages?userId=${userId}`)) as readonly unknown[]).length;
  return Promise.all(sellers.map(read));
}

async function openStatistics(page: Page, product: Product, signIn: (path: string) => Promise<void>) {
  await signIn(`/admin?view=servers&statistics=${(await seeded(product)).guildId}`);
  const card = page.getByRole('region', { name: title });
  await expect(card).toContainText(`${count} of ${count + 1} members with the role`);
  return card;
}

/** Rulings R5, in a browser against the real engine, with real wallets and sales. */
test.describe.serial('a removal of more than 10 members and more than 20 %', () => {
  let sellers: readonly Holder[] = [];
  const [everybody, nobody] = [Array(count).fill(1), Array(count).fill(0)];

  test('waits for approval: the admin sees it in Statistics, and no member has lost the role or got a message', async ({
    page,
    signIn,
    product,
    database: { pool },
  }) => {
    await signIn();
    await callAs(page, 'POST', '/api/discord/init');
    await expect.poll(async () => ((await product.observe('/control/discord/commands')) as []).length).toBe(6);
    // Otherwise Discord's limits allow at most ten role changes per server in ten seconds.
    await product.control('/control/discord/set-limits', { enforced: false });
    await setUp(product);
    await expect
      .poll(async () => JSON.stringify(await product.observe('/control/discord/interactions')))
      .toContain('Set up');
    await verify(product, (await seeded(product)).memberIds[0] ?? '', 'Granite Gwen');
    sellers = await addHolders(product, count);
    await expect.poll(async () => (await roleHolders(product)).length).toBe(count + 1);

    await sellOut(product, pool, sellers);
    const card = await openStatistics(page, product, signIn);
    await card.getByText(`Who would lose it (${count})`).click();
    await expect(card.getByText('holder-1', { exact: true })).toBeVisible();
    await expect(card.getByText('Granite Gwen')).toHaveCount(0);
    await checkMuchLater(pool);
    expect(await roleStates(pool)).toEqual({ holder: 1, braked: count });
    expect(await roleHolders(product)).toHaveLength(count + 1);
    expect(await messagesTo(product, sellers)).toEqual(nobody);
  });

  test('once refused, no member loses the role, however often they are checked', async ({
    page,
    signIn,
    product,
    database: { pool },
  }) => {
    const card = await openStatistics(page, product, signIn);
    await card.getByRole('button', { name: 'Refuse' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: `Keep it for ${count}` })
      .click();
    await expect(toast(page)).toContainText('Removal refused');
    await expect(card).toHaveCount(0);
    await checkMuchLater(pool);
    await checkMuchLater(pool);
    expect(await roleStates(pool)).toEqual({ holder: 1, kept: count });
    expect(await roleHolders(product)).toHaveLength(count + 1);
    expect(await messagesTo(product, sellers)).toEqual(nobody);
  });

  test('the next one is approved: each member gets a message and loses the role, and a member who still holds keeps it', async ({
    page,
    signIn,
    product,
    database: { pool },
  }) => {
    await trade(product, sellers, ({ wallet }) => wallet);
    await expect.poll(() => roleStates(pool), { timeout: 20_000 }).toEqual({ holder: count + 1 });
    await sellOut(product, pool, sellers);
    const card = await openStatistics(page, product, signIn);
    await card.getByRole('button', { name: 'Approve' }).click();
    // Going elsewhere closes the dialog, and going back does not open it again.
    await page.evaluate(() => history.pushState(null, '', '/admin?view=servers'));
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await page.goBack();
    await expect(card).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await card.getByRole('button', { name: 'Approve' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: `Remove the role from ${count}` })
      .click();
    await expect(toast(page)).toContainText('Each member who still holds nothing loses the role');
    await expect
      .poll(async () => roleHolders(product), { timeout: 20_000 })
      .toEqual([(await seeded(product)).memberIds[0]]);
    expect(await messagesTo(product, sellers)).toEqual(everybody);
    await expect(card).toHaveCount(0);
  });
});
