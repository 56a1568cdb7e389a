import { expect, test } from 'vitest';

import { createJustTold } from './just-told.ts';

const scene = () => {
  let atMs = 0;
  const said: string[] = [];
  const justTold = createJustTold(() => atMs);
  return {
    said,
    pass: (ms: number) => (atMs += ms),
    ask: (fact: string, chatId = 1) =>
      justTold.unlessTold(chatId, fact, async () => said.push(`${chatId} ${fact}`) > 0),
    askInVain: (fact: string) =>
      justTold.unlessTold(1, fact, () => Promise.reject(new Error('there was no room for a reply'))),
  };
};

test('a fact is told once in ten seconds, each for itself and in each chat', async () => {
  const { said, pass, ask } = scene();
  for (const fact of ['floor', 'floor', 'status', 'floor']) await ask(fact);
  await ask('floor', 2);
  pass(9_999);
  await ask('floor');
  expect(said).toEqual(['1 floor', '1 status', '2 floor']);
  pass(1);
  await ask('floor');
  expect(said.at(-1)).toBe('1 floor');
  expect(said).toHaveLength(4);
});

test('what could not be said was not told: whoever asks next is answered', async () => {
  const { said, ask, askInVain } = scene();
  await expect(askInVain('floor')).rejects.toThrow('no room');
  await ask('floor');
  expect(said).toEqual(['1 floor']);
});

test('nor was what was not known yet', async () => {
  const said: string[] = [];
  const justTold = createJustTold(() => 0);
  await justTold.unlessTold(1, 'floor', async () => false);
  await justTold.unlessTold(1, 'floor', async () => said.push('told') > 0);
  expect(said).toEqual(['told']);
});
