import { rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Manifest } from 'vite';
import { gallery } from '../artwork/gallery.ts';
import { type BuildFacts, pageDocument } from './page-document.ts';
import { precompress } from './precompress.ts';
import { smallSchemas } from './small-schemas-plugin.ts';

/**
 * `npm run build`: dist/client (hashed assets) and dist/pages (one document per page, decision 0010). Built in another folder
 * and moved into place, so a server never sees half a build.
 */
const root = resolve(import.meta.dirname, '..');
const workDir = join(root, '.cache', `build-${process.pid}`);
const distDir = join(root, 'dist');
const clientDir = join(workDir, 'dist', 'client');
const prerenderDir = join(workDir, 'prerender');
const pagesDir = join(workDir, 'dist', 'pages');
const entryName = 'src/app/entry-client.tsx';

/** What the prerender bundle exports: `src/app/entry-prerender.tsx`. */
interface PrerenderModule {
  readonly themeScript: string;
  prerenderPages(): Promise<{ name: string; head: string; body: string }[]>;
}

const buildClient = async (): Promise<Manifest> => {
  await build({
    root,
    logLevel: 'warn',
    plugins: [smallSchemas()],
    build: { outDir: clientDir, manifest: true, rolldownOptions: { input: join(root, entryName) } },
  });
  const manifestPath = join(clientDir, '.vite', 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest;
  await rm(join(clientDir, '.vite'), { recursive: true });
  await writeFile(join(clientDir, 'favicon.svg'), gallery['favicon']?.() ?? '');
  return manifest;
};

const buildPrerender = async (): Promise<PrerenderModule> => {
  await build({
    root,
    logLevel: 'warn',
    build: {
      outDir: prerenderDir,
      ssr: true,
      copyPublicDir: false,
      minify: false,
      rolldownOptions: { input: join(root, 'src/app/entry-prerender.tsx') },
    },
  });
  return (await import(pathToFileURL(join(prerenderDir, 'entry-prerender.js')).href)) as PrerenderModule;
};

/** The files a page needs before it can hydrate: its chunk and everything that imports, except the entry. */
const scriptsOf = (manifest: Manifest, name: string, found = new Set<string>()): Set<string> => {
  const chunk = manifest[name];
  if (chunk === undefined) throw new Error(`The build has no chunk for ${name}`);
  if (!chunk.isEntry) found.add(`/${chunk.file}`);
  for (const imported of chunk.imports ?? []) {
    if (!found.has(`/${manifest[imported]?.file}`)) scriptsOf(manifest, imported, found);
  }
  return found;
};

const buildFacts = async (manifest: Manifest, { themeScript }: PrerenderModule): Promise<BuildFacts> => {
  const entry = manifest[entryName];
  const styleFile = Object.values(manifest).find(({ file }) => file.endsWith('.css'))?.file;
  if (entry === undefined || styleFile === undefined) throw new Error('The build has no entry or no style sheet');
  const stylePath = join(clientDir, styleFile);
  const style = await readFile(stylePath, 'utf8');
  // It is inlined in every document, so the file is never requested.
  await rm(stylePath);
  const fonts = Object.values(manifest).flatMap(({ file }) => (file.endsWith('.woff2') ? [`/${file}`] : []));
  return { style: style.trim(), themeScript, entry: `/${entry.file}`, fonts: fonts.sort() };
};

const buildSite = async (): Promise<void> => {
  const startedAtMs = Date.now();
  process.chdir(root);
  // At every end, also on Ctrl-C.
  process.once('exit', () => rmSync(workDir, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const manifest = await buildClient();
  const prerendered = await buildPrerender();
  const facts = await buildFacts(manifest, prerendered);
  await mkdir(pagesDir, { recursive: true });
  for (const { name, head, body } of await prerendered.prerenderPages()) {
    // The page 'home' is the module `…/home-page.tsx`.
    const module = Object.keys(manifest).find((key) => key.endsWith(`/${name}-page.tsx`)) ?? name;
    const scripts = [...scriptsOf(manifest, entryName), ...scriptsOf(manifest, module)];
    await writeFile(
      join(pagesDir, `${name}.html`),
      pageDocument(facts, { head, body, scripts: [...new Set(scripts)] }),
    );
  }
  await precompress(clientDir);
  await rm(distDir, { recursive: true, force: true });
  await rename(join(workDir, 'dist'), distDir);
  console.log(`Built dist/ in ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`);
};

await buildSite();
