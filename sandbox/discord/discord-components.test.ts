import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { identified } from './gateway-caller.ts';
import { interactionCaller } from './interaction-caller.ts';

let sandbox: Sandbox;
let bot: ReturnType<typeof interactionCaller>;
beforeAll(async () => {
  sandbox = await startSandbox({ discordLimits: false });
  bot = interactionCaller(sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => bot.begin());

const button = { type: 2, style: 1, label: 'Verify', custom_id: 'verify' };
const menu = { type: 3, custom_id: 'pick', options: ['a', 'b'].map((value) => ({ label: value, value })) };
const panel = (...components: object[]) => [{ type: 1, components }];
const ephemeral = 64;

describe('components under a message', () => {
  const posted = async (components: object[]): Promise<string> =>
    String(
      (
        await bot.call('POST', `/channels/${bot.place().channelId}/messages`, {
          body: { content: 'Panel', components },
        })
      ).body['id'],
    );

  test('a button is pressed by its label or id, and the message changes', async () => {
    const caller = await identified(sandbox, 0);
    const messageId = await posted(panel(button, { type: 2, style: 5, label: 'Site', url: 'https://a.example' }));
    const { userId } = bot.place();
    const pressed = sandbox.discord.press({ userId, messageId, button: 'Verify' });
    expect(await caller.event('INTERACTION_CREATE')).toMatchObject({
      type: 3,
      data: { custom_id: 'verify', component_type: 2 },
      message: { id: messageId, content: 'Panel' },
    });
    expect(await bot.answer(pressed, { type: 7, data: { content: 'Pressed', components: [] } })).toBeUndefined();
    expect(sandbox.discord.history(bot.place().channelId)).toMatchObject([{ content: 'Pressed', components: [] }]);
    expect(() => sandbox.discord.press({ userId, messageId, button: 'verify' })).toThrow('no button');
    caller.break();
  });

  test('a link, a disabled button and a button only someone else can see cannot be pressed', async () => {
    const { userId } = bot.place();
    const messageId = await posted(
      panel({ ...button, disabled: true }, { type: 2, style: 5, label: 'Site', url: 'https://a.example' }),
    );
    expect(() => sandbox.discord.press({ userId, messageId, button: 'Site' })).toThrow('a link to https://a.example');
    expect(() => sandbox.discord.press({ userId, messageId, button: 'Verify' })).toThrow('disabled');
    const one = bot.why();
    await bot.answer(one, { type: 4, data: { content: 'x', flags: ephemeral, components: panel(button) } });
    const hidden = one.answers[0]!.id;
    const other = sandbox.discord.seeded.memberIds[1]!;
    expect(() => sandbox.discord.press({ userId: other, messageId: hidden, button: 'Verify' })).toThrow(
      'cannot see message',
    );
    expect(sandbox.discord.press({ userId, messageId: hidden, button: 'Verify' }).state).toBe('waiting');
  });

  test('a menu accepts only the values it offers', async () => {
    const { userId } = bot.place();
    const messageId = await posted(panel(menu));
    const select = (...values: string[]) => sandbox.discord.select({ userId, messageId, customId: 'pick', values });
    expect(select('b')).toMatchObject({ kind: 'select', name: 'pick' });
    expect(() => select('c')).toThrow('no choice c');
    expect(() => select('a', 'b')).toThrow('Too many');
  });

  test('a form comes back with the values filled in', async () => {
    const caller = await identified(sandbox, 0);
    const one = bot.why();
    await bot.answer(one, {
      type: 9,
      data: {
        custom_id: 'form',
        title: 'Form',
        components: panel({ type: 4, custom_id: 'reason', label: 'Why', style: 1 }),
      },
    });
    expect(one).toMatchObject({ state: 'modal', modal: { title: 'Form' } });
    const filled = sandbox.discord.submitModal({ interactionId: one.id, values: { reason: 'Because' } });
    await caller.event('INTERACTION_CREATE');
    expect(await caller.event('INTERACTION_CREATE')).toMatchObject({
      type: 5,
      data: { custom_id: 'form', components: [{ type: 1, components: [{ custom_id: 'reason', value: 'Because' }] }] },
    });
    expect(await bot.answer(filled, { type: 4, data: { content: 'Thanks' } })).toBeUndefined();
    caller.break();
  });
});
