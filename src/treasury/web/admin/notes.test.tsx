import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { createQueryClient } from '../../../ui/api/use-public-answer.ts';
import { ledgerPage } from '../ledger-facts.tsx';
import { Notes } from './notes.tsx';

test('a movement that slid to the next page between two reads is listed once', () => {
  const entry = (digest: string) => ({ digest, changes: [], explorerUrl: `https://explorer.example/${digest}` });
  const pageWith = (...digests: readonly string[]) => ledgerPage.parse({ coins: [], entries: digests.map(entry) });
  const client = createQueryClient();
  client.setQueryData(['/api/treasury/ledger', 'admin', ''], {
    pages: [pageWith('D3', 'D2'), pageWith('D2', 'D1')],
    pageParams: [null, '2'],
  });
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/admin">
        <Notes />
      </Router>
    </QueryClientProvider>,
  );
  expect(html.match(/https:\/\/explorer\.example\/D\d/g)?.map((link) => link.slice(-2))).toEqual(['D3', 'D2', 'D1']);
});
