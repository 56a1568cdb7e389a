import { SuiGrpcClient } from '@mysten/sui/grpc';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { createSuiClient, type SuiClient } from '../../src/sources/sui/sui-client.ts';

let sandbox: Sandbox;
let sui: SuiClient;
beforeAll(async () => {
  sandbox = await startSandbox();
  sui = createSuiClient({ network: 'mainnet', baseUrl: sandbox.urls.sui });
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

type Display = Parameters<Sandbox['world']['setDisplay']>[0];
const shownAs = (display: Omit<Display, 'collection'>): void =>
  sandbox.world.setDisplay({ collection: 'rocks', ...display });
/** A rock in a wallet and one in a kiosk: both must be shown in the same way. */
const rocks = () => {
  const all = [...sandbox.world.state.nfts.values()].filter(({ collectionKey }) => collectionKey === 'rocks');
  return (['wallet', 'kiosk'] as const).map((kind) => all.find(({ place }) => place.kind === kind)!);
};
const readRocks = async () => {
  const shown = await sui.readShownObjects(rocks().map(({ id }) => id));
  return rocks().map(({ id }) => shown.get(id));
};
const readRock = async () => (await readRocks())[0];

/** The Display as the SDK reads it. */
const displayBySdk = async () => {
  const client = new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox.urls.sui });
  return (await client.getObject({ objectId: rocks()[0]!.id, include: { display: true } })).object.display;
};

describe('names, pictures and colors of objects', () => {
  test.each(['migrated', 'version-2'] as const)('come from a Display of the kind %s', async (kind) => {
    shownAs({ kind });
    expect(await readRocks()).toEqual(
      rocks().map(({ name, colour, imagePath }) => ({
        name,
        imageUrl: expect.stringContaining(imagePath ?? '') as string,
        color: colour?.name,
      })),
    );
  });

  test('the two kinds differ on the wire: one has only text, the other has structure, null and errors', async () => {
    shownAs({ kind: 'migrated' });
    const migrated = await displayBySdk();
    expect(Object.values(migrated?.output ?? {}).every((value) => typeof value === 'string')).toBe(true);
    expect(migrated?.errors).toBeNull();
    shownAs({ kind: 'version-2' });
    expect(await displayBySdk()).toMatchObject({
      output: {
        number: rocks()[0]?.number,
        attributes: { contents: [{ key: 'Color', value: rocks()[0]?.colour?.name }] },
        project_url: null,
        creator: null,
      },
      errors: { creator: expect.any(String) as string },
    });
  });

  test('a picture of null counts as none, and a picture under another key is found', async () => {
    shownAs({ kind: 'version-2', fields: { image_url: null } });
    expect(await readRock()).toMatchObject({ name: rocks()[0]?.name, imageUrl: null });
    shownAs({ kind: 'version-2', fields: { image_url: null, thumbnail_url: 'https://example.com/1.png' } });
    expect(await readRock()).toMatchObject({ imageUrl: 'https://example.com/1.png' });
  });

  test.each([
    ['null', null],
    ['a number', 7],
    ['a boolean', true],
    ['a list', ['Rock', null, { name: 'Rock' }]],
    ['nested values', { name: { name: ['Rock'] } }],
    ['blanks', '  '],
  ])('a Display with %s for every field is ignored, and affects no other object', async (_what, odd) => {
    const other = [...sandbox.world.state.nfts.values()].find(({ collectionKey }) => collectionKey === 'cave-bats')!;
    shownAs({
      kind: 'version-2',
      fields: { name: odd, description: odd, image_url: odd, number: odd, attributes: odd, colour: odd },
      errors: { name: 'too deep', image_url: 'unknown field' },
    });
    const [rock] = rocks();
    const shown = await sui.readShownObjects([rock!.id, other.id]);
    // Its own field still has the name.
    expect(shown.get(rock!.id)).toEqual({ name: rock!.name, imageUrl: null, color: null });
    expect(shown.get(other.id)?.name).toBe(other.name);
  });

  test('a color is found as a field, as a map entry and as a trait, at any depth', async () => {
    const traits = [
      { color: 'Moss' },
      {
        attributes: {
          contents: [
            { key: 'Size', value: 'Big' },
            { key: 'Color', value: 'Moss' },
          ],
        },
      },
      { traits: [{ trait_type: 'COLOUR', value: 'Moss' }] },
      { look: { surface: { color: 'Moss' } } },
    ];
    for (const fields of traits) {
      shownAs({ kind: 'version-2', fields: { attributes: null, ...fields } });
      expect((await readRock())?.color, JSON.stringify(fields)).toBe('Moss');
    }
  });

  test('without a Display, the name comes from the object itself', async () => {
    shownAs({ kind: 'none' });
    expect(await displayBySdk()).toBeNull();
    expect(await readRock()).toEqual({ name: rocks()[0]?.name, imageUrl: null, color: null });
  });

  test('a character that no database stores is left out of every text', async () => {
    const fields = { name: '\0Odd\0', image_url: 'https://example.com/\0 1.png', color: 'Mo\0ss', attributes: null };
    shownAs({ kind: 'version-2', fields });
    expect(await readRock()).toEqual({ name: 'Odd', imageUrl: 'https://example.com/ 1.png', color: 'Moss' });
    shownAs({ kind: 'version-2', fields: { ...fields, name: '\0', image_url: ' \0 ', color: '\0' } });
    expect(await readRock()).toEqual({ name: rocks()[0]?.name, imageUrl: null, color: null });
  });

  test('very long values are cut, and a picture with too long an address counts as none', async () => {
    shownAs({
      kind: 'version-2',
      fields: {
        attributes: null,
        name: 'N'.repeat(5_000),
        image_url: `data:,${'x'.repeat(9_000)}`,
        color: 'C'.repeat(900),
      },
    });
    expect(await readRock()).toEqual({ name: 'N'.repeat(200), imageUrl: null, color: 'C'.repeat(60) });
  });
});

test('the control interface of the sandbox switches the kind of Display', async () => {
  const order = (body: object) =>
    fetch(`${sandbox.urls.console}/control/set-display`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const [rock] = rocks();
  expect((await order({ collection: 'rocks', kind: 'version-2', fields: { name: 'Odd' } })).status).toBe(200);
  expect((await sui.readShownObjects([rock!.id])).get(rock!.id)?.name).toBe('Odd');
  expect((await order({ collection: 'rocks', kind: 'version-3' })).status).toBe(400);
});
