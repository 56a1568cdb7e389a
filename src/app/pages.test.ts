import { expect, test } from 'vitest';
import { createPages } from './pages.tsx';

test('what was not there when the tab opened is looked for again once another page was shown, and not before', async () => {
  const month = '/statements/2026-11';
  const pages = createPages(month);
  await pages.load(month);
  expect(pages.use(month).name).toBe('NotFoundPage');
  // A link is pointed at.
  await pages.load('/statements');
  expect(pages.use(month).name).toBe('NotFoundPage');
  expect(pages.use('/statements').name).toBe('StatementsPage');
  await pages.load(month);
  expect(pages.use(month).name).toBe('StatementPage');
});
