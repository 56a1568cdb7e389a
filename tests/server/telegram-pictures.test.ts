import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Delivering, startDelivering } from '../support/delivering.ts';
import { deliverySteps } from '../support/delivery-steps.ts';
import { until } from '../support/until.ts';

/** Rulings R4: pictures are downloaded by us, checked, sent as bytes once and by file_id afterwards; they never hold a message back. */
let delivering: Delivering;
let host: Server;
let asked: string[];
let answer: RequestListener;
beforeEach(async () => {
  delivering = await startDelivering({ telegramLimits: false });
  asked = [];
  host = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
});
afterEach(async () => {
  await delivering.end();
  host.closeAllConnections();
  host.close();
});

const { drainedInNoTime } = deliverySteps(() => delivering);
const address = (path: string): string => `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}`;
/** Long enough for a busy machine to fetch and decode; tests of waiting pass their own. */
const trusted = (pictureWaitMs = 15_000) => ({
  limits: { pictureWaitMs },
  config: {
    TELEGRAM_BOT_TOKEN: delivering.sandbox.facts.telegramBotToken,
    TELEGRAM_API_URL: delivering.sandbox.urls.telegram,
    EXPLORER_URL: 'https://suivision.xyz',
    MARKET_API_URL: address('/'),
  },
});
const bytes =
  (body: Buffer, type = 'image/png'): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body);
const png = (width = 64, height = 64): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
const withPicture = (chatId: string, imageUrl: string, text = 'a <b>sale</b>') => ({
  chatId,
  text,
  content: { html: text, imageUrl, buttons: [], isSilent: false },
});
const methods = () => delivering.sandbox.telegram.accepted().map(({ method }) => method);

describe('Pictures', () => {
  it('one picture for many chats is downloaded once, however often Telegram refuses it, uploaded once and reused by its file_id afterwards', async () => {
    answer = bytes(await png());
    const chatIds = await delivering.groups(10);
    await delivering.sandbox.faults.set('telegram', { kind: '503' });
    delivering.copy(trusted()).start();
    await delivering.enqueue(chatIds.map((chatId) => withPicture(chatId, address('/rock.png'))));
    await until('all were tried', async () => (await delivering.rows()).every(({ attempts }) => attempts > 0));
    await delivering.sandbox.faults.clear('telegram');
    await drainedInNoTime();
    expect(asked).toEqual(['/rock.png']);
    expect(new Set(methods())).toEqual(new Set(['sendPhoto']));
    expect(delivering.sandbox.telegram.counters().photoUploads).toBe(1);
    expect(new Set(delivering.sandbox.telegram.accepted().map(({ fileUniqueId }) => fileUniqueId)).size).toBe(1);
    expect(delivering.received(chatIds[0] ?? '')).toEqual(['a sale']);
  });

  it('a file_id that Telegram no longer knows is replaced by the bytes', async () => {
    answer = bytes(await png());
    const [chatId = ''] = await delivering.groups(1);
    delivering.copy(trusted()).start();
    await delivering.enqueue([withPicture(chatId, address('/rock.png'))]);
    await drainedInNoTime();
    await delivering.database.pool.query("update telegram_images set file_id = 'AgACAgIAAxkDAAIBbroken'");
    await delivering.enqueue([withPicture(chatId, address('/rock.png'))]);
    await drainedInNoTime();
    expect(methods()).toEqual(['sendPhoto', 'sendPhoto']);
    expect(delivering.sandbox.telegram.counters().photoUploads).toBe(2);
    const { rows } = await delivering.database.pool.query<{ file_id: string }>('select file_id from telegram_images');
    expect(rows[0]?.file_id).not.toBe('AgACAgIAAxkDAAIBbroken');
  });

  it('pictures are decoded in a process of their own, and a stop leaves nothing of that behind', async () => {
    const processes = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;
    const before = processes();
    answer = bytes(await png());
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy(trusted());
    deliveries.start();
    await delivering.enqueue([withPicture(chatId, address('/rock.png'))]);
    await drainedInNoTime();
    expect(processes()).toBe(before + 1);
    await deliveries.stop();
    await delivering.shrinker.stop();
    // Without the stop it would stay for half a minute.
    await until('its process is gone', () => processes() === before, 2_000);
    deliveries.start();
    await delivering.enqueue([withPicture(chatId, address('/other.png'))]);
    await drainedInNoTime();
    expect(methods()).toEqual(['sendPhoto', 'sendPhoto']);
  });

  it('a stop during the download of a picture is not a failure: the picture is sent after the next start', async () => {
    answer = () => {};
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy(trusted());
    deliveries.start();
    await delivering.enqueue([withPicture(chatId, address('/rock.png'))]);
    await until('the picture is requested', () => asked.length === 1);
    await deliveries.stop();
    answer = bytes(await png());
    deliveries.start();
    await drainedInNoTime();
    expect(methods()).toEqual(['sendPhoto']);
  });

  it.each([
    ['is no image', async () => bytes(Buffer.from('<html>not found</html>'), 'image/png')],
    ['is cut off', async () => bytes((await png()).subarray(0, 60))],
    ['unpacks to far more than it weighs', async () => bytes(await png(20_000, 10_000))],
    ['is one thin line', async () => bytes(await png(2_000, 10))],
    ['is over 10 MB', async () => bytes(Buffer.concat([await png(), Buffer.alloc(11 * 1024 * 1024)]))],
    ['is gone', async (): Promise<RequestListener> => (_request, response) => void response.writeHead(404).end()],
    [
      'redirects to a private address',
      async (): Promise<RequestListener> => (_request, response) =>
        void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
    ],
    ['never comes', async (): Promise<RequestListener> => () => {}, 500],
  ] as const)(
    'a message whose picture %s goes as text, and the picture is not requested again',
    async (_what, make, waitMs?: number) => {
      answer = await make();
      const [chatId = '', other = ''] = await delivering.groups(2);
      delivering.copy(trusted(waitMs)).start();
      const startedMs = performance.now();
      await delivering.enqueue([withPicture(chatId, address('/bad'))]);
      await drainedInNoTime();
      expect(performance.now() - startedMs).toBeLessThan(10_000);
      await delivering.enqueue([withPicture(other, address('/bad'))]);
      await drainedInNoTime();
      expect(methods()).toEqual(['sendMessage', 'sendMessage']);
      expect(asked).toEqual(['/bad']);
      expect(await delivering.rows(chatId)).toMatchObject([{ state: 'sent', form: 'full', attempts: 1 }]);
    },
  );

  it.each([
    [404, 24 * 60],
    [503, 10],
  ])('a picture that failed with status %i is not requested again for %i minutes', async (status, minutes) => {
    answer = (_request, response) => void response.writeHead(status).end();
    const [chatId = ''] = await delivering.groups(1);
    const deliveries = delivering.copy(trusted());
    deliveries.start();
    const card = withPicture(chatId, address('/rock.png'));
    await delivering.enqueue([card]);
    await drainedInNoTime();
    answer = bytes(await png());
    await delivering.enqueue([card]);
    await drainedInNoTime();
    const [, asking = 0] = delivering.sandbox.telegram.createGroups({ count: 2 });
    await delivering.reply(asking, card.content);
    expect(methods()).toEqual(['sendMessage', 'sendMessage', 'sendMessage']);
    expect(asked).toEqual(['/rock.png']);
    const { rows } = await delivering.database.pool.query<{ minutes: number }>(
      'select round(extract(epoch from try_again_at - updated_at) / 60)::int as minutes from telegram_images',
    );
    expect(rows).toEqual([{ minutes }]);
    await delivering.database.pool.query('update telegram_images set try_again_at = clock_timestamp()');
    await delivering.enqueue([card]);
    await drainedInNoTime();
    expect(methods().at(-1)).toBe('sendPhoto');
    expect(asked).toEqual(['/rock.png', '/rock.png']);
  });

  it('a host that kept three pictures waiting gets no other request for a while', async () => {
    answer = () => {};
    const [chatId = ''] = await delivering.groups(1);
    delivering.copy(trusted(300)).start();
    for (const path of ['/a', '/b', '/c', '/d', '/e']) {
      await delivering.enqueue([withPicture(chatId, address(path))]);
      await drainedInNoTime();
    }
    expect(asked).toEqual(['/a', '/b', '/c']);
    expect(methods()).toEqual(Array.from({ length: 5 }, () => 'sendMessage'));
  });

  it('chats without pictures do not wait for one that never comes', async () => {
    answer = () => {};
    const [waiting = '', fine = ''] = await delivering.groups(2);
    delivering.copy(trusted(1_000)).start();
    await delivering.enqueue([withPicture(waiting, address('/never')), { chatId: fine, text: 'hello' }]);
    await until('the other chat has its message', () => delivering.received(fine).length === 1);
    expect(delivering.received(waiting)).toEqual([]);
    await drainedInNoTime();
  });

  it('an SVG is drawn, without anything from outside; a GIF becomes its first frame', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><image href="${address('/inside.png')}" width="9" height="9"/><rect width="50" height="50"/></svg>`;
    answer = (request, response) =>
      void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(request.url === '/rock.svg' ? svg : '');
    const [chatId = ''] = await delivering.groups(1);
    delivering.copy(trusted()).start();
    const gif = await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } })
      .gif()
      .toBuffer();
    await delivering.enqueue([
      withPicture(chatId, address('/rock.svg')),
      withPicture(chatId, `data:image/gif;base64,${gif.toString('base64')}`),
    ]);
    await drainedInNoTime();
    expect(methods()).toEqual(['sendPhoto', 'sendPhoto']);
    expect(asked).toEqual(['/rock.svg']);
  });

  it('a message goes as text where the bot may not send photos, at once and from then on', async () => {
    answer = bytes(await png());
    const { groupId } = delivering.sandbox.telegram.seeded;
    const chatId = await delivering.enlist(groupId, 'group');
    delivering.sandbox.telegram.setPermissions({ chatId: groupId, permissions: { can_send_photos: false } });
    delivering.copy(trusted()).start();
    await delivering.enqueue([withPicture(chatId, address('/a.png')), withPicture(chatId, address('/b.png'))]);
    await drainedInNoTime();
    expect(methods()).toEqual(['sendMessage', 'sendMessage']);
    expect(asked).toEqual(['/a.png']);
    expect(await delivering.chat(chatId)).toMatchObject({ can_send_photos: false });
  });

  it('a text too long for a caption goes without its picture, a text too long for a message is cut', async () => {
    answer = bytes(await png());
    const [chatId = ''] = await delivering.groups(1);
    delivering.copy(trusted()).start();
    await delivering.enqueue([
      withPicture(chatId, address('/a.png'), `<b>${'a'.repeat(1_100)}</b>`),
      withPicture(chatId, address('/a.png'), 'b'.repeat(5_000)),
    ]);
    await drainedInNoTime();
    expect(methods()).toEqual(['sendMessage', 'sendMessage']);
    expect(delivering.sandbox.telegram.history(Number(chatId)).map(({ text }) => text?.length)).toEqual([1_100, 4_096]);
  });
});
