import { payoutPlan } from '../src/payouts/payouts-contract.ts';
import type { Product } from '../tests/support/product.ts';
import { payLines, planFileOf, treasurerOf, untilPaid } from '../tests/support/published-payout.ts';
import { until } from '../tests/support/until.ts';
import type { Show } from './discord-pictures.ts';

const goto =
  (path: string): Show =>
  async (page) =>
    void (await page.goto(path));

interface RockPage {
  readonly data: { readonly owner: { readonly address: string } | null };
}

interface Statements {
  readonly data: { readonly statements: readonly { readonly month: string }[] };
}

interface Admin {
  readonly username: string;
  readonly password: string;
}

/** The product's first payout. */
const paid = 1;

/** Once the past is read and priced and its statements are made, publishes two payouts and pays the first. */
export async function makePast(product: Product, admin: Admin): Promise<void> {
  await until('the statements are made', async () => (await monthsOf(product)).length > 12, 300_000);
  const treasurer = await treasurerOf(product, admin);
  const reason = 'Half of what the treasury earned with its sweeps this month, in equal parts';
  const { lines } = await treasurer.publish({ title: 'October', reason, shareRaw: '125000000' });
  await payLines(product, lines);
  await untilPaid(product, paid);
  await treasurer.publish({ title: 'November', reason, shareRaw: '140000000' });
}

/** Newest first. */
async function monthsOf({ url }: Product): Promise<readonly string[]> {
  const { data } = (await (await fetch(`${url}/api/treasury/statements`)).json()) as Statements;
  return data.statements.map(({ month }) => month);
}

/** The rocks, their holders, the statements and the payouts. */
export const pastPictures: Readonly<Record<string, Show>> = {
  rocks: goto('/rocks'),
  rock: goto('/rocks/1'),
  holder: async (page, { url }) => {
    const { data } = (await (await fetch(`${url}/api/rocks/1`)).json()) as RockPage;
    await page.goto(`/holders/${data.owner?.address}`);
  },
  statements: goto('/statements'),
  statement: async (page, product) => {
    const [newest] = await monthsOf(product);
    await page.goto(`/statements/${newest}`);
  },
  payouts: goto('/payouts'),
  payout: async (page, product) => {
    const { lines } = payoutPlan.parse(JSON.parse(await planFileOf(product, paid)));
    // All lines together would fill most of the picture.
    await page.goto(`/payouts/${paid}?find=${lines[0]?.rocks[0]}`);
    await page.getByRole('button', { name: 'Calculate it here' }).click();
    await page.getByText('Adds up', { exact: true }).waitFor();
  },
};
