import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import { type Json, variantsOf } from '../../../../tests/support/answer-variants.ts';
import { createQueryClient } from '../../../ui/api/use-public-answer.ts';
import { ToastProvider } from '../../../ui/toast/toast-provider.tsx';
import { LinkingOutcome, VerifyPage } from './verify-page.tsx';
import { linkAnswer, outcomeAnswer } from './verify-calls.ts';

const token = 'A'.repeat(43);

function shown(content: ReactNode, link: Json = null): string {
  const client = createQueryClient();
  if (link !== null) client.setQueryData([`/api/verify/${token}`], linkAnswer.parse(link));
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath={`/verify/${token}`}>
        <ToastProvider>{content}</ToastProvider>
      </Router>
    </QueryClientProvider>,
  );
}

/** Rulings R2: the calls of /verify are not part of the specification, so nothing in their answers may be relied on. */
describe('the page of a link', () => {
  const link = {
    guildName: 'Rock Mountain',
    memberName: 'Gwen',
    nftName: 'Sui Rocks',
    network: 'mainnet',
    expiresAt: '2036-11-25T10:00:00.000Z',
  };

  it('says for which member and server it is', () => {
    expect(shown(<VerifyPage />, link)).toContain('<strong>Gwen</strong> in the Discord server <strong>Rock Mountain');
  });

  it.each([{ title: 'nothing is known', answer: {} }, ...variantsOf(link, {})])('$title', ({ answer }) => {
    const markup = shown(<VerifyPage />, answer);
    expect(markup).toContain('in the Discord server');
    expect(markup).toContain('Before you sign');
    expect(markup).not.toMatch(/NaN|undefined|null|\[object/);
  });
});

describe('the last screen of a link', () => {
  const outcome = {
    wallet: `0x${'ab'.repeat(32)}`,
    outcome: 'role-coming',
    sentences: ['The rule.', '3 rocks: 1 in your wallet, 2 in kiosks.'],
    receipt: 'R'.repeat(43),
  };
  const screen = (answer: Json): string =>
    shown(<LinkingOutcome token={token} outcome={outcomeAnswer.parse(answer)} guildName={null} />);

  it('says what was found', () => {
    expect(screen(outcome)).toContain('3 rocks');
  });

  it.each([{ title: 'nothing is known', answer: {} }, ...variantsOf(outcome, {})])('$title', ({ answer }) => {
    const markup = screen(answer);
    expect(markup).toContain('is linked to you in the Discord server');
    expect(markup).not.toContain('You have the role');
    expect(markup).not.toMatch(/NaN|undefined|null|\[object/);
  });
});
