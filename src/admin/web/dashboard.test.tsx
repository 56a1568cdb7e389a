import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import type * as z from 'zod/mini';
import { type Json, variantsOf } from '../../../tests/support/answer-variants.ts';
import { adminPlaces, fullAdminAnswers, numbersIn } from '../../../tests/support/full-admin-answers.ts';
import { accounts, ownAccount } from '../../accounts/web/admin/accounts-calls.ts';
import { auditPage } from '../../audit/web/entries.tsx';
import { noFilters } from '../../audit/web/activity-tab.tsx';
import {
  authorizedWallets,
  botInfo,
  discordGuilds,
  discordStatus,
  guildStatistics,
  memberExplanation,
  membersPage,
  unverifiedHolders,
} from '../../discord/web/admin/discord-answers.ts';
import { deliveriesPage, telegramConfigurations, telegramStatus } from '../../telegram/web/admin/telegram-calls.ts';
import { payoutOnChain } from '../../payouts/web/payouts-answer.ts';
import { payouts, transactions } from '../../payouts/web/admin/payouts-calls.ts';
import {
  movementsKey,
  treasuryAmounts,
  treasuryNames,
  treasuryStatus,
} from '../../treasury/web/admin/treasury-calls.ts';
import { ledgerPage } from '../../treasury/web/ledger-facts.tsx';
import { createQueryClient } from '../../ui/api/use-public-answer.ts';
import { ToastProvider } from '../../ui/toast/toast-provider.tsx';
import { Dashboard } from './admin-page.tsx';

interface Read {
  readonly schema: z.ZodMiniType;
  /** The query key of the answer. */
  readonly key: readonly unknown[];
  readonly isPaged?: boolean;
  /** The cache holds the unparsed body, because a public page reads it too. */
  readonly isWhole?: boolean;
}

const guild = '/api/discord/guilds/300000000000000001';
const reads: Readonly<Record<string, Read>> = {
  '/api/telegram/status': { schema: telegramStatus, key: ['/api/telegram/status'] },
  '/api/telegram/configs': { schema: telegramConfigurations, key: ['/api/telegram/configs'] },
  '/api/telegram/configs/7/deliveries': {
    schema: deliveriesPage,
    key: ['/api/telegram/deliveries', '7'],
    isPaged: true,
  },
  '/api/discord/status': { schema: discordStatus, key: ['/api/discord/status'] },
  '/api/discord/invite-url': { schema: botInfo, key: ['/api/discord/invite-url'] },
  '/api/discord/guilds': { schema: discordGuilds, key: ['/api/discord/guilds'] },
  [`${guild}/statistics`]: { schema: guildStatistics, key: [`${guild}/statistics`] },
  [`${guild}/unverified-holders`]: { schema: unverifiedHolders, key: [`${guild}/unverified-holders`] },
  [`${guild}/members`]: { schema: membersPage, key: [`${guild}/members`, ''], isPaged: true },
  [`${guild}/members/600000000000000001`]: { schema: memberExplanation, key: [`${guild}/members/600000000000000001`] },
  [`${guild}/wallets`]: { schema: authorizedWallets, key: [`${guild}/wallets`] },
  '/api/admin/treasury': { schema: treasuryStatus, key: ['/api/admin/treasury'] },
  '/api/admin/treasury/names': { schema: treasuryNames, key: ['/api/admin/treasury/names'] },
  '/api/admin/treasury/amounts': { schema: treasuryAmounts, key: ['/api/admin/treasury/amounts'] },
  '/api/treasury/ledger': { schema: ledgerPage, key: [...movementsKey, ''], isPaged: true },
  '/api/admin/payouts': { schema: payouts, key: ['/api/admin/payouts'] },
  '/api/payouts/7': { schema: payoutOnChain, key: ['/api/payouts/7', 'whole'], isWhole: true },
  '/api/admin/payouts/7/transactions': { schema: transactions, key: ['/api/admin/payouts/7/transactions'] },
  '/api/auth/account': { schema: ownAccount, key: ['/api/auth/account'] },
  '/api/admin/accounts': { schema: accounts, key: ['/api/admin/accounts'] },
  '/api/audit': { schema: auditPage, key: ['/api/audit', noFilters], isPaged: true },
};

/** The dashboard's text with these answers; one that does not parse is left out. Throws what a section throws. */
function shown(search: string, answers: Readonly<Record<string, Json>>): string {
  const client = createQueryClient();
  for (const [path, { schema, key, isPaged = false, isWhole = false }] of Object.entries(reads)) {
    const { success, data } = schema.safeParse(answers[path]);
    if (isWhole) client.setQueryData(key, { data: answers[path] });
    else if (success) client.setQueryData(key, isPaged ? { pages: [data], pageParams: [null] } : data);
  }
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <ToastProvider>
        <Router ssrPath="/admin" ssrSearch={search}>
          <Dashboard username="ogg" rights={null} />
        </Router>
      </ToastProvider>
    </QueryClientProvider>,
  );
  return markup.replaceAll(/<[^>]*>/g, ' ');
}

describe('rulings R2: the dashboard copes with any answer', () => {
  it.each(Object.keys(reads))('%s: with each field removed, null, of another type, or an unknown word', (path) => {
    const [full, search] = [fullAdminAnswers[path] ?? null, adminPlaces[path] ?? ''];
    const shownOfAll = numbersIn(shown(search, fullAdminAnswers));
    const variants = variantsOf(full, Array.isArray(full) ? [] : {});
    expect(variants.length).toBeGreaterThan(8);
    for (const { title, answer } of variants) {
      const text = shown(search, { ...fullAdminAnswers, [path]: answer });
      expect(text, title).toContain('Logged in as ogg');
      expect(text, title).not.toMatch(/undefined|NaN|null|Invalid|\[object/);
      const known = new Set([...shownOfAll, ...numbersIn(JSON.stringify(answer))]);
      const invented = numbersIn(text).filter((number) => !known.has(number));
      expect(invented, `${title}: no invented number`).toEqual([]);
    }
  });

  it('a second factor that was never used differs from one whose last use is not known', () => {
    const account = fullAdminAnswers['/api/auth/account'] as { readonly factors: readonly Json[] };
    const said = (lastUsedAt: object) => {
      const factors = account.factors.map((factor) => ({
        ...(factor as object),
        lastUsedAt: undefined,
        ...lastUsedAt,
      }));
      return shown('tab=accounts', {
        ...fullAdminAnswers,
        '/api/auth/account': { ...account, factors } as unknown as Json,
      });
    };
    expect(said({ lastUsedAt: null })).toContain('not used yet');
    expect(said({})).toContain('last used at an unknown time');
    expect(said({})).not.toContain('not used yet');
  });

  it('shows the values of complete answers', () => {
    expect(shown('view=servers', fullAdminAnswers)).toContain('Rock Mountain');
    expect(shown('tab=telegram&view=configurations', fullAdminAnswers)).toContain('111 / 555');
    expect(shown('tab=accounts', fullAdminAnswers)).toContain('Phone of Ogg');
    expect(shown('tab=accounts&view=sessions', fullAdminAnswers)).toContain('Firefox on Linux');
    expect(shown('tab=accounts&view=all', fullAdminAnswers)).toContain('Operator (the bots)');
    expect(shown('tab=treasury', fullAdminAnswers)).toContain('History: 62 %, up to 20 November 2026');
    expect(shown('tab=treasury&view=movements', fullAdminAnswers)).toContain('Paint for the cave');
    expect(shown('tab=payouts', fullAdminAnswers)).toContain('Rocks of October');
    expect(shown('tab=payouts&payout=7', fullAdminAnswers)).toContain('Who receives what');
    expect(shown('tab=treasury&view=names', fullAdminAnswers)).toContain('Exchange of Bea');
    expect(shown('tab=treasury&view=amounts', fullAdminAnswers)).toContain('$861');
  });
});
