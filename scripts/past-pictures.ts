import type { PayoutPlan } from '../src/payouts/payouts-contract.ts';
import type { Product } from '../tests/support/product.ts';
import { payLines, treasurerOf, untilPaid } from '../tests/support/published-payout.ts';
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

/** The rocks, their holders, the statements and the payouts, once the past is read and priced and its statements are made. */
export async function pastPictures(product: Product, admin: Admin): Promise<Readonly<Record<string, Show>>> {
  const { url } = product;
  let months: readonly string[] = [];
  const areMade = async (): Promise<boolean> => {
    const { data } = (await (await fetch(`${url}/api/treasury/statements`)).json()) as Statements;
    months = data.statements.map(({ month }) => month);
    return months.length > 12;
  };
  await until('the statements are made', areMade, 300_000);
  const paid = await payOut(product, admin);
  const rock = (await (await fetch(`${url}/api/rocks/1`)).json()) as RockPage;
  return {
    rocks: goto('/rocks'),
    rock: goto('/rocks/1'),
    holder: goto(`/holders/${rock.data.owner?.address}`),
    statements: goto('/statements'),
    statement: goto(`/statements/${months[0]}`),
    payouts: goto('/payouts'),
    payout: async (page) => {
      // All lines together would fill most of the picture.
      await page.goto(`/payouts/${paid.payout}?find=${paid.lines[0]?.rocks[0]}`);
      await page.getByRole('button', { name: 'Calculate it here' }).click();
      await page.getByText('Adds up', { exact: true }).waitFor();
    },
  };
}

/** Publishes two payouts and pays the first, which it returns. */
async function payOut(product: Product, admin: Admin): Promise<PayoutPlan> {
  const treasurer = await treasurerOf(product, admin);
  const reason = 'Half of what the treasury earned with its sweeps this month, in equal parts';
  const paid = await treasurer.publish({ title: 'October', reason, shareRaw: '125000000' });
  await payLines(product, paid.lines);
  await untilPaid(product, paid.payout);
  await treasurer.publish({ title: 'November', reason, shareRaw: '140000000' });
  return paid;
}
