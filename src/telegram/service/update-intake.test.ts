import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';

import type { IntakeDeps } from './update-intake.ts';
import { createUpdateIntake } from './update-intake.ts';

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
    admins: { standingOf: () => 'unknown' },
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
