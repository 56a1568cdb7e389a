import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { gallery } from '../artwork/gallery.ts';
import { chromiumArgs, ensureChromium } from './chromium.ts';
import { indexedPng } from './indexed-png.ts';

/**
 * `npm run og-images`: draws the raster pictures that social networks and home screens ask for, from the same artwork as
 * the site (decision 0011). It needs a browser, so run it by hand when the artwork changes; the results are kept in git.
 */
const publicDir = resolve(import.meta.dirname, '..', 'src', 'site', 'public');
const fontFile = (family: string): string =>
  resolve(
    import.meta.dirname,
    '..',
    `node_modules/@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`,
  );

interface Card {
  readonly file: string;
  readonly title: string;
  readonly line: string;
  readonly picture: string;
}

const cards: readonly Card[] = [
  {
    file: 'home',
    title: 'The Stone Age keeps honest books.',
    line: '555 rocks on SUI. One treasury in the open.',
    picture: 'cairn',
  },
  { file: 'nft', title: 'Pick your rock.', line: '555 Rocks. Six colors. 10 SUI each.', picture: 'family' },
  {
    file: 'rockfolio',
    title: 'RockFolio',
    line: 'The live treasury: every figure with its source and age.',
    picture: 'hoard',
  },
  {
    file: 'telegram',
    title: 'NFT Activity Tracker',
    line: 'Mints, sales, listings and bids in your Telegram group.',
    picture: 'tracker',
  },
];

const drawn = (name: string): string => gallery[name]?.() ?? '';

const fontFace = async (name: string, family: string): Promise<string> => {
  const data = (await readFile(fontFile(family))).toString('base64');
  return `@font-face{font-family:${name};src:url(data:font/woff2;base64,${data});font-weight:100 900}`;
};

const style = async (): Promise<string> => `
  ${await fontFace('Title', 'piazzolla')} ${await fontFace('Text', 'hanken-grotesk')}
  body{margin:0;width:1200px;height:630px;box-sizing:border-box;padding:72px;display:grid;align-items:center;
    grid-template-columns:1fr 470px;gap:40px;background:#0d141c;color:#edf2f7;font-family:Text}
  h1{font:900 84px/1 Title;letter-spacing:-.015em;margin:0} p{font-size:33px;line-height:1.3;color:#b0bcc9;margin:28px 0 0}
  .name{display:flex;align-items:center;gap:18px;font:900 36px Title;color:#edf2f7;margin:0 0 56px}
  .name svg{height:48px;width:auto} .picture svg{width:100%;height:auto;max-height:500px}`;

const cardHtml = ({ title, line, picture }: Card, css: string): string =>
  `<style>${css}</style><div><p class="name">${drawn('favicon')}Sui Rocks</p><h1>${title}</h1><p>${line}</p></div>` +
  `<div class="picture">${drawn(picture)}</div>`;

const iconHtml =
  '<style>body{margin:0;width:180px;height:180px;display:grid;place-items:center;background:#0d141c}svg{width:136px;height:auto}</style>' +
  drawn('favicon');

/** Runs in the browser: it decodes its own screenshot, so no PNG decoder is needed here. */
const decode = (data: string): string => `(async () => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${data}')).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  return Array.from({ length: data.length / 4 }, (_, at) => data[at * 4] * 65536 + data[at * 4 + 1] * 256 + data[at * 4 + 2]);
})()`;

const pixelsOf = async (page: Page): Promise<Uint32Array> => {
  const screenshot = await page.screenshot();
  return Uint32Array.from(await page.evaluate<number[]>(decode(screenshot.toString('base64'))));
};

const browser = await chromium.launch({ executablePath: ensureChromium(), args: [...chromiumArgs] });
try {
  const shoot = async (html: string, width: number, height: number, file: string): Promise<void> => {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(html);
    await page.evaluate('document.fonts.ready.then(() => null)');
    const png = indexedPng(await pixelsOf(page), width, height);
    await writeFile(join(publicDir, file), png);
    await page.close();
    console.log(`${file}: ${(png.byteLength / 1024).toFixed(0)} kB`);
  };
  await mkdir(join(publicDir, 'og'), { recursive: true });
  const css = await style();
  for (const card of cards) await shoot(cardHtml(card, css), 1200, 630, `og/${card.file}.png`);
  await shoot(iconHtml, 180, 180, 'apple-touch-icon.png');
} finally {
  await browser.close();
}
