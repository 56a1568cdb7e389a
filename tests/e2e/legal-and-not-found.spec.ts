import { expect, test } from './support/browser.ts';

const documents = [
  {
    path: '/privacy',
    title: 'Privacy Policy',
    sections: [
      /introduction/i,
      /information (we )?collect/i,
      /use/i,
      /storage and security/i,
      /your rights/i,
      /children/i,
      /changes/i,
      /contact/i,
    ],
  },
  {
    path: '/terms',
    title: 'Terms of Service',
    sections: [
      /acceptance/i,
      /crypto.*risk/i,
      /treasury distribution/i,
      /service description|description of (the )?service/i,
      /user responsibilities/i,
      /intellectual property/i,
      /limitation of liability/i,
      /third-party services/i,
      /modifications/i,
      /governing law/i,
      /contact/i,
    ],
  },
] as const;

for (const { path, title, sections } of documents) {
  test(`${title}: its title, date and ${sections.length} sections`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(/last updated:? May 2, 2025/i);
    const headings = page.getByRole('main').getByRole('heading', { level: 2 });
    const texts = (await headings.allTextContents()).filter((text) => !/contents|on this page/i.test(text));
    expect(texts).toHaveLength(sections.length);
    for (const [index, section] of sections.entries()) expect(texts[index]).toMatch(section);
  });

  test(`${title}: the close button returns to /`, async ({ page }) => {
    await page.goto(path);
    await page
      .getByRole('main')
      .getByRole('link', { name: /close/i })
      .or(page.getByRole('button', { name: /close/i }))
      .first()
      .click();
    await expect(page).toHaveURL(/\/$/);
  });
}

test('the terms name the United States as governing law', async ({ page }) => {
  await page.goto('/terms');
  await expect(page.getByRole('main')).toContainText('United States');
});

test('the terms state that treasury distributions are discretionary and not guaranteed', async ({ page }) => {
  await page.goto('/terms');
  await expect(page.locator('#treasury-distributions, section:has(#treasury-distributions)').first()).toContainText(
    'Treasury distributions are discretionary and not guaranteed.',
  );
});

test('the privacy text: no personal data, except a messenger user ID and notification preferences; no children under 13', async ({
  page,
}) => {
  await page.goto('/privacy');
  const main = page.getByRole('main');
  await expect(main).toContainText(/We do not collect personal data\..*The group-chat bot may store:/s);
  const kept = main.getByRole('list').filter({ hasText: 'notification preferences' }).getByRole('listitem');
  await expect(kept).toHaveText([/^a messenger user ID/, /^notification preferences/]);
  await expect(main).toContainText('is not meant for children under 13');
});

for (const path of ['/', '/nft']) {
  test(`${path} mentions upcoming tools and dividends, and that these are not guaranteed`, async ({ page }) => {
    await page.goto(path);
    const promise = page.getByRole('main').getByRole('paragraph').filter({ hasText: 'treasury dividends' });
    await expect(promise).toContainText(
      /upcoming tools.* a share of treasury dividends,? paid regularly after the mint ends/,
    );
    await expect(promise).toContainText('Distributions are discretionary and not guaranteed.');
  });
}

test('an unknown path is the not-found page with status 404 and a way home', async ({ page, complaints }) => {
  const answer = await page.goto('/no-such-cave');
  expect(answer?.status()).toBe(404);
  const main = page.getByRole('main');
  await expect(main).toContainText('404');
  await expect(main).toContainText('Rock Not Found!');
  await expect(main).toContainText(
    "Looks like this cave painting doesn't exist. Perhaps it was lost in prehistoric times?",
  );
  await page.getByRole('link', { name: 'Back to Cave Home' }).click();
  await expect(page).toHaveURL(/\/$/);
  // The browser itself reports the 404 of the document; nothing else may be wrong.
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('404')));
});
