import { expect, test } from 'vitest';
import { createPages } from './pages.tsx';

test('a page that was missing when the tab opened is tried again once the visitor was at another page, and not before', async () => {
  const month = '/statements/2026-11';
  const pages = createPages(month);
  await pages.load(month);
  expect(pages.use(month).name).toBe('NotFoundPage');
  // As when hovering over a link.
  await pages.load('/statements');
  expect(pages.use(month).name).toBe('NotFoundPage');
  expect(pages.use('/statements').name).toBe('StatementsPage');
  pages.arrivedAt('/statements');
  await pages.load(month);
  expect(pages.use(month).name).toBe('StatementPage');
});
