import type { Product } from '../tests/support/product.ts';
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

/** The rocks, their holders and the statements, once the past is read, priced and told. */
export async function pastPictures({ url }: Product): Promise<Readonly<Record<string, Show>>> {
  let months: readonly string[] = [];
  const isTold = async (): Promise<boolean> => {
    const { data } = (await (await fetch(`${url}/api/treasury/statements`)).json()) as Statements;
    months = data.statements.map(({ month }) => month);
    return months.length > 12;
  };
  await until('the statements are made', isTold, 300_000);
  const rock = (await (await fetch(`${url}/api/rocks/1`)).json()) as RockPage;
  return {
    rocks: goto('/rocks'),
    rock: goto('/rocks/1'),
    holder: goto(`/holders/${rock.data.owner?.address}`),
    statements: goto('/statements'),
    statement: goto(`/statements/${months[0]}`),
  };
}
