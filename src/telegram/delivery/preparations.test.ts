import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createPreparations } from './preparations.ts';
import type { SenderOptions } from './sender.ts';

/** A sender that begins the same preparation again whenever its chat is free. */
async function begunWhen(compact: () => Promise<void>): Promise<{ readonly begun: number; readonly hasRoom: boolean }> {
  let begun = 0;
  const parts: Pick<SenderOptions, 'backlog' | 'log'> = {
    backlog: { compact },
    log: { warn: () => {} } as unknown as SenderOptions['log'],
  };
  const look = (): void => {
    if (preparations.chatIds().length > 0 || begun >= 5) return;
    begun += 1;
    preparations.begin({ kind: 'backlog-first', chatId: '-100' });
  };
  const preparations = createPreparations(parts as SenderOptions, () => queueMicrotask(look));
  look();
  await nextTurn();
  return { begun, hasRoom: preparations.hasRoom() };
}

test('what could not be made ready in a chat is not tried again without a pause, and leaves room for other chats', async () => {
  expect(await begunWhen(() => Promise.reject(new Error('no such event')))).toEqual({ begun: 1, hasRoom: true });
  expect((await begunWhen(() => Promise.resolve())).begun).toBe(5);
});
