import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintMilestones } from '../../src/market/core/own-collection.ts';
import { kioskOwnerCapType } from '../../src/shared/sui-address.ts';
import { type LedgerScene, startLedgerScene } from '../support/ledger-scene.ts';

const monthMs = 30 * 86_400_000;
/** The last ones are from the last hour, newer than any movement. */
const mints = Array.from(
  { length: 555 },
  (_, at) => new Date(Date.now() - (554 - at) * 60_000 - (at < 500 ? monthMs * 20 : 0)),
);
const hostileName = `<b>Gwen</b> & "Co"\u0000\uFFFE`;

const textOf = async (scene: LedgerScene): Promise<string> => (await scene.feed()).identity.toString();
const all = (xml: string, tag: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<entry>.*?<${tag}>(.*?)</${tag}>`, 'g'))].map(([, text = '']) => text);

describe('/feed.atom', () => {
  let scene: LedgerScene;
  let runOnChange = (): void => {};
  let milestones = mintMilestones(mints);
  beforeAll(async () => {
    scene = await startLedgerScene({
      mints: { mintMilestones: async () => milestones, onChange: (run) => (runOnChange = run) },
      holderName: hostileName,
    });
    await scene.read();
  });
  afterAll(() => scene.end());

  test('has the newest fifty movements and milestones, newest first, each with a stable id', async () => {
    const xml = await textOf(scene);
    const times = all(xml, 'updated');
    expect(times).toHaveLength(50);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set(all(xml, 'id')).size).toBe(50);
    const { entries } = await scene.page();
    expect(all(xml, 'id')).toContain(`tag:rocks.example,2026:movement:${entries[0]?.digest}`);
    expect(xml).toContain(`<updated>${times[0]}</updated>`);
    expect(xml).toContain('<link rel="self" type="application/atom+xml" href="https://rocks.example/feed.atom"/>');
  });

  test('has the milestones of the mint', async () => {
    const titles = all(await textOf(scene), 'title');
    expect(titles.slice(0, 2)).toEqual(['Sold out: all 555 rocks are minted', '550 rocks are minted']);
    expect(mintMilestones(mints).map(({ minted }) => minted)).toEqual([
      1, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 555,
    ]);
  });

  test('escapes names, and leaves out what XML cannot hold', async () => {
    const xml = await textOf(scene);
    expect(xml).toContain('with &lt;b&gt;Gwen&lt;/b&gt; &amp; &quot;Co&quot; (holds rocks)</title>');
    expect(xml).not.toContain('<b>');
    expect(xml).not.toMatch(/\p{Cc}(?<!\n)|\uFFFE/u);
  });

  test('and the CSV mark a name that the team declares as declared', async () => {
    const [entry] = (await scene.entries()).filter(({ counterparty }) => counterparty !== null);
    const params = { address: entry?.counterparty?.address ?? '' };
    await scene.asAdmin('PUT', '/api/admin/treasury/names/{address}', { params, body: { name: 'Cave', role: 'team' } });
    await scene.read();
    expect(await textOf(scene)).toContain('with Cave (declared by the team as its own)</title>');
    const [header, ...lines] = (await scene.csv()).text.trim().split('\r\n');
    expect(header).toMatch(/,counterparty_role$/);
    expect(lines.filter((line) => line.includes(',Cave,')).every((line) => line.endsWith(',team'))).toBe(true);
    expect(lines.filter((line) => line.endsWith(',team'))).not.toEqual([]);
    await scene.asAdmin('DELETE', '/api/admin/treasury/names/{address}', { params });
    await scene.read();
  });

  test('stays the same to the byte while nothing happens, and changes as soon as something does', async () => {
    const before = await scene.feed();
    expect(before.contentType).toBe('application/atom+xml; charset=utf-8');
    await scene.read();
    expect((await scene.feed()).etag).toBe(before.etag);
    scene.sandbox.world.pay({ to: '0xb1', coinType: '0x2::sui::SUI', amount: 7_000_000n });
    await scene.read();
    const after = await scene.feed();
    expect(after.etag).not.toBe(before.etag);
    milestones = [];
    runOnChange();
    expect((await scene.feed()).etag).not.toBe(after.etag);
  });

  test('calls a kiosk that was given away what it is, as the page does', async () => {
    const { digest } = (await scene.entries()).find(({ nfts }) => nfts.length === 1)!;
    const nft = 'update ledger_nfts set collection_type = $1 where digest = $2';
    await scene.database.rows(nft, [kioskOwnerCapType, digest]);
    await scene.database.rows('update ledger_entries set happened_at = now() where digest = $1', [digest]);
    runOnChange();
    const items = (await textOf(scene)).split('<entry>');
    expect(items.find((item) => item.includes(digest))).toContain('1 kiosk, contents included');
  });

  test('leaves out unsolicited transactions', async () => {
    const before = (await scene.feed()).etag;
    scene.sandbox.world.spam({ what: 'coins', count: 10 });
    await scene.read();
    expect((await scene.feed()).etag).toBe(before);
  });
});
