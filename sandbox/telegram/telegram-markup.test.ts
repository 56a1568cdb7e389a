import { describe, expect, test } from 'vitest';
import { botApiScene, refused } from '../../tests/support/bot-api-scene.ts';

const { telegram, group, send } = botApiScene({ telegramLimits: false });

describe('HTML', () => {
  test('becomes text and entities, counted in UTF-16, nested, with a link and a code language', async () => {
    const text =
      '🪨 <b>Rock <i>#7</i></b> &lt;3 <a href="https://a.example/?x=1&amp;y=2">deal</a> <pre><code class="language-ts">x</code></pre>';
    expect((await send({ text, parse_mode: 'HTML' })).result).toMatchObject({
      text: '🪨 Rock #7 <3 deal x',
      entities: [
        { type: 'bold', offset: 3, length: 7 },
        { type: 'italic', offset: 8, length: 2 },
        { type: 'text_link', offset: 14, length: 4, url: 'https://a.example/?x=1&y=2' },
        { type: 'pre', offset: 19, length: 1, language: 'ts' },
      ],
    });
  });

  test.each([
    ['<b>open', `Can't find end tag corresponding to start tag "b"`],
    ['<b>a</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ['é</b>', 'Unexpected end tag at byte offset 2'],
    ['<script>x</script>', 'Unsupported start tag "script" at byte offset 0'],
    ['<constructor>x</constructor>', 'Unsupported start tag "constructor" at byte offset 0'],
    ['1 < 2 > 0', 'Unsupported start tag "" at byte offset 2'],
    ['a <b', 'Unclosed start tag at byte offset 2'],
    ['<a href>x</a>', 'Expected equal sign in declaration of an attribute of the tag "a" at byte offset 3'],
    ['<span class="x">y</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
  ])("%s is refused with Telegram's own description", async (text, sentence) => {
    expect(await send({ text, parse_mode: 'HTML' })).toEqual(refused(`Bad Request: can't parse entities: ${sentence}`));
    expect(telegram().history(group())).toEqual([]);
  });

  test('an unusable link is dropped silently and its text stays', async () => {
    const { result } = await send({ text: '<a href="javascript:alert(1)">here</a>', parse_mode: 'HTML' });
    expect(result).toMatchObject({ text: 'here' });
    expect(result).not.toHaveProperty('entities');
  });
});

describe('MarkdownV2', () => {
  test('becomes text and entities', async () => {
    const text = '*bold _both_* [link](https://a.example) `co\\`de` \\.';
    expect((await send({ text, parse_mode: 'MarkdownV2' })).result).toMatchObject({
      text: 'bold both link co`de .',
      entities: [{ type: 'bold' }, { type: 'italic' }, { type: 'text_link', offset: 10, length: 4 }, { type: 'code' }],
    });
  });

  test.each([
    ['1.5 SUI', "Character '.' is reserved and must be escaped with the preceding '\\'"],
    ['a *b', "Can't find end of Bold entity at byte offset 2"],
    ['`x', "Can't find end of Code entity at byte offset 0"],
  ])('%s is refused', async (text, sentence) => {
    expect(await send({ text, parse_mode: 'MarkdownV2' })).toEqual(
      refused(`Bad Request: can't parse entities: ${sentence}`),
    );
  });
});
