import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditTrail } from '../../src/audit/audit-log.ts';
import { createSendLimits, type SendLimits } from '../../src/telegram/send/limits.ts';
import { createOutcomeStore } from '../../src/telegram/send/settle.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';

/** A copy that sends takes over what another one was sending when it died (docs/decisions/0033). */
let delivering: Delivering;
let inDoubt: string;
let other: string;
beforeEach(async () => {
  delivering = await startDelivering();
  [inDoubt = '', other = ''] = await delivering.groups(2);
  await delivering.enqueue([{ chatId: inDoubt, text: 'A sale' }]);
  await delivering.database.rows("update telegram_messages set state = 'sending'");
});
afterEach(() => delivering.end());

function newOutcomeStore() {
  const log = { info: () => {}, warn: () => {} };
  const parts = { audit: auditTrail, activity: { unwatch: async () => {} } };
  return createOutcomeStore({ db: delivering.db, ...parts, log });
}

async function takeOver(outcomes = newOutcomeStore()): Promise<SendLimits> {
  const limits = createSendLimits(() => performance.now());
  await outcomes.takeOver(limits);
  return limits;
}

test('a chat whose message is in doubt waits until that can no longer arrive, even if the next copy dies at once', async () => {
  await takeOver();
  const limits = await takeOver();
  expect(limits.msUntilChat(inDoubt, 'card')).toBeGreaterThan(1_003);
  expect(limits.msUntilChat(inDoubt, 'card')).toBeLessThanOrEqual(2_000);
  expect(limits.msUntilChat(other, 'card')).toBe(0);
});

test('a chat does not wait for the time at which it got a message before the database’s clock was set back', async () => {
  await delivering.enqueue([{ chatId: other, text: 'A sale' }]);
  const sentAt = (time: string) =>
    delivering.database.rows(
      `update telegram_messages set state = 'sent', sent_at = now() ${time} where chat_id = $1`,
      [other],
    );
  await sentAt('');
  expect((await takeOver()).msUntilChat(other, 'card')).toBeGreaterThan(0);
  await sentAt("+ interval '2 hours'");
  expect((await takeOver()).msUntilChat(other, 'card')).toBe(0);
});

test('a message that arrived while the database was away is stored as sent afterwards, and not sent again', async () => {
  const outcomes = newOutcomeStore();
  const [row] = await delivering.rows(inDoubt);
  const content = { html: 'A sale', imageUrl: null, buttons: [], isSilent: false };
  const sending = { id: row?.id ?? '', chatId: inDoubt, topicId: null, content, form: 'full', attempts: 0 } as const;
  const sent = { kind: 'sent', platformMessageId: 7, uploadedFileId: null, hasPhoto: false } as const;
  // Sending was given up before the database was back.
  await outcomes.settle(
    { ...sending, editsMessageId: null, isDoubtful: false, isReply: false },
    sent,
    AbortSignal.abort(),
  );
  expect(await delivering.rows(inDoubt)).toMatchObject([{ state: 'sending' }]);
  await takeOver(outcomes);
  expect(await delivering.rows(inDoubt)).toMatchObject([
    { state: 'sent', is_doubtful: false, platform_message_id: '7' },
  ]);
});
