import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

import { describe, expect, test } from 'vitest';

const read = (path: string): Promise<string> => readFile(path, 'utf8');
const { scripts, devDependencies } = JSON.parse(await read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

describe('deployment (docs/operations.md)', () => {
  test('image and service start the product as npm start does, on the pinned Node', async () => {
    const [, ...args] = (scripts['start'] ?? '').split(' ');
    const dockerfile = await read('Dockerfile');
    expect(dockerfile).toContain(`CMD ${JSON.stringify(['node', ...args]).replaceAll(',', ', ')}`);
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`node:${devDependencies['node']}-bookworm-slim`]));
    expect(await read('deploy/sui-rocks.service')).toContain(`/node_modules/.bin/node ${args.join(' ')}\n`);
  });

  test('npm ci installs the pinned Node and what builds the site also where NODE_ENV=production is set, but not in the image', async () => {
    const env = { ...process.env, NODE_ENV: 'production' };
    const { stdout } = spawnSync('npm', ['ls', 'node', 'vite', '--depth=0', '--json'], { env, encoding: 'utf8' });
    const { dependencies = {} } = JSON.parse(stdout) as { readonly dependencies?: Readonly<Record<string, unknown>> };
    expect(Object.keys(dependencies)).toEqual(['node', 'vite']);
    expect(await read('Dockerfile')).not.toContain('.npmrc');
  });

  test('the product reads every variable that the deployment files set', async () => {
    const config = await read('src/config.ts');
    const example = [...(await read('deploy/product.env.example')).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    const compose = [...(await read('compose.yaml')).matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name]) => name);
    const ofPostgres = /^POSTGRES_/;
    const unread = [...example, ...compose].filter(
      (name = '') => !ofPostgres.test(name) && !config.includes(`\n  ${name}: `),
    );
    expect(unread).toEqual([]);
    expect(example.length + compose.length).toBeGreaterThan(15);
  });

  test('every variable that the product reads is in the README', async () => {
    const names = [...(await read('src/config.ts')).matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(30);
    const readme = await read('README.md');
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  test('docs/operations.md says what to do for every alert, and for no other', async () => {
    const alerts = [...(await read('deploy/alerts.yaml')).matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const [, chapter = ''] = (await read('docs/operations.md')).split(/^## When an alarm rings$/m);
    const headings = [...chapter.split(/^## /m)[0]!.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(new Set(headings)).toEqual(new Set(alerts));
    expect(headings).toHaveLength(alerts.length);
  });
});
