import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';

import { createSayWait } from './answering.ts';
import { createUpdateIntake, type IntakeDeps } from './take-updates.ts';

const chat = { id: 5, type: 'private', first_name: 'Ann' } as const;
const help = {
  update_id: 2,
  message: {
    message_id: 1,
    date: 1_800_000_000,
    chat,
    from: { id: 5, is_bot: false, first_name: 'Ann' },
    text: '/help',
    entities: [{ type: 'bot_command', offset: 0, length: 5 }],
  },
} as const;

test('updates that are not as the Bot API says are left out, and said once: those beside them are handled', async () => {
  const handled: number[] = [];
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (_details: object, said: string) => void warnings.push(said), error: () => {} };
  const intake = createUpdateIntake({
    handle: ({ update_id: id }: Update) => Promise.resolve(void handled.push(id)),
    jobs: { add: () => {} },
    admins: { roleOf: () => 'unknown' },
    me: () => ({ id: 1, username: 'rocks_bot' }),
    log,
    nowMs: () => 0,
  } as unknown as IntakeDeps);
  const broken = [
    { update_id: 1, callback_query: {} },
    { update_id: 3, message: { text: 7 } },
  ];
  await intake.take([...broken, help] as unknown as readonly Update[]);
  await intake.idle();
  expect(handled).toEqual([2]);
  expect(warnings).toHaveLength(1);
});

test('rulings R4: who asks more than is answered is told once that the bot waits, and how long; a repeated question is answered', async () => {
  const handled: number[] = [];
  const said: string[] = [];
  let nowMs = 1_000_000;
  const sendNow = async (chatId: number, _topicId: number | null, { html }: { readonly html: string }) => {
    said.push(`${chatId}: ${html}`);
    return { messageId: 1 };
  };
  const intake = createUpdateIntake({
    handle: ({ update_id: id }: Update) => Promise.resolve(void handled.push(id)),
    jobs: { add: () => {} },
    admins: { roleOf: () => 'unknown' },
    me: () => ({ id: 1, username: 'rocks_bot' }),
    sayWait: createSayWait({ sendNow }, () => nowMs),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    nowMs: () => nowMs,
  } as unknown as IntakeDeps);
  const group = { id: -5, type: 'supergroup', title: 'Rocks' } as const;
  const ask = async (id: number): Promise<void> => {
    await intake.take([{ update_id: id, message: { ...help.message, chat: group } }] as unknown as readonly Update[]);
    await intake.idle();
  };
  for (let id = 1; id <= 15; id += 1) {
    nowMs += 2_000;
    await ask(id);
  }
  expect(handled).toEqual(Array.from({ length: 12 }, (_none, index) => index + 1));
  // The first of the twelve was 24 s before the thirteenth.
  expect(said).toEqual(['-5: I am answering a lot here. Back in 36 s.']);
  nowMs += 36_000;
  await ask(16);
  expect(handled.at(-1)).toBe(16);
});
