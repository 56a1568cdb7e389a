import { type Product, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';
import { expect, test } from './support/browser.ts';

// Each starts a product of its own.
test.describe.configure({ timeout: 180_000 });

const closedPort = 'http://127.0.0.1:9';

test("when the treasury was never read the cards say 'Loading...' and then 'Error loading'", async ({
  page,
  complaints,
}) => {
  const product = await startProduct({ env: { SUI_GRPC_URL: closedPort } });
  try {
    await page.goto(`${product.url}/rockfolio`);
    await expect(page.getByText('Loading...')).toHaveCount(3);
    await expect(page.getByText('Error loading')).toHaveCount(3, { timeout: 60_000 });
    await expect(page.getByRole('main')).not.toContainText('8420.3');
    const again = page.getByRole('main').getByRole('button', { name: 'Try again' }).first();
    await again.focus();
    await page.keyboard.press('Enter');
    await expect(again).toHaveAttribute('aria-busy', 'true');
    await expect(again).toBeFocused();
    await expect(page.getByText('Error loading')).toHaveCount(3);
    // An open page would keep sending requests while the product stops.
    await page.goto('about:blank');
    // The browser reports each failed request by itself.
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('503')));
  } finally {
    await product.stop();
  }
});

test('when no price was ever read the total is the sample figure, and says so', async ({ page }) => {
  const product = await startProduct({
    env: { PRICES_API_URL: closedPort, PRICES_FALLBACK_URL: closedPort },
  });
  try {
    await until('the treasury was read', async () => (await fetch(`${product.url}/api/treasury/balance`)).ok, 60_000);
    await page.goto(`${product.url}/rockfolio`);
    const total = page.getByRole('group', { name: 'Total Value' });
    await expect(total).toContainText('1,247.5', { timeout: 60_000 });
    await expect(total).toContainText('Sample figure: live data unavailable');
    await expect(page.getByRole('group', { name: 'SUI Holdings' })).not.toContainText('Sample figure');
  } finally {
    await product.stop();
  }
});

test.describe('a product that worked before', () => {
  let product: Product;
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    product = await startProduct();
    await until('the treasury was read', async () => (await fetch(`${product.url}/api/treasury/balance`)).ok, 60_000);
  });
  test.afterEach(() => product.control('/control/faults/clear'));
  test.afterAll(() => product.stop());

  const balance = async (): Promise<{ state: string; totalUsdValue: number }> => {
    const answer = await fetch(`${product.url}/api/treasury/balance`);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: { state: string; totalUsdValue: number } }).data;
  };
  const failEverything = async (kind: string): Promise<void> => {
    for (const service of ['sui', 'market', 'prices', 'pricesFallback']) {
      await product.control('/control/faults', { service, kind });
    }
  };

  test('when all upstreams fail the figures stay, with their age, and recover without a restart', async ({ page }) => {
    const before = await balance();
    await failEverything('500');
    await until('the snapshot says stale', async () => (await balance()).state === 'stale');
    expect((await balance()).totalUsdValue).toBe(before.totalUsdValue);
    await page.goto(`${product.url}/rockfolio`);
    await expect(page.getByRole('group', { name: 'Total Value' })).toContainText(/stale/i);

    // An open page would report failed requests during the restart.
    await page.goto('about:blank');
    await product.restart();
    expect((await balance()).totalUsdValue).toBe(before.totalUsdValue);

    await product.control('/control/faults/clear');
    await until('the snapshot is live again', async () => (await balance()).state === 'live', 60_000);
  });

  test('after kill -9 the next start adopts what is running and carries on', async () => {
    const { totalUsdValue } = await balance();
    await failEverything('hang');
    await product.restart('SIGKILL');
    expect((await balance()).totalUsdValue).toBe(totalUsdValue);
  });
});
