import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { gallery, inlineGallery } from '../artwork/gallery.ts';
import { guideCommands } from '../src/telegram/commands/command-table.ts';

const artworkPrefix = 'virtual:artwork/';

/** The name has a hash of the content: browsers may cache it forever, and every build computes the same name. */
const fileNameOf = (name: string, svg: string): string =>
  `assets/${name}-${createHash('sha256').update(svg).digest('base64url').slice(0, 8)}.svg`;

const drawn = (name: string): string => {
  const draw = gallery[name];
  if (draw === undefined) throw new Error(`artwork/gallery.ts has no picture named ${name}`);
  return draw();
};

/** `virtual:artwork/<name>.svg` is the address of a picture; `virtual:artwork/<name>.facets` a small one's data. */
export const artwork = (): Plugin => ({
  name: 'artwork',
  resolveId: (id) => (id.startsWith(artworkPrefix) ? `\0${id}` : null),
  load(id) {
    if (!id.startsWith(`\0${artworkPrefix}`)) return null;
    const file = id.slice(artworkPrefix.length + 1);
    if (file.endsWith('.facets')) {
      const drawing = inlineGallery[file.slice(0, -'.facets'.length)];
      if (drawing === undefined) throw new Error(`artwork/gallery.ts has no inline picture named ${file}`);
      return `export default ${JSON.stringify(drawing())}`;
    }
    const name = file.slice(0, -'.svg'.length);
    const svg = drawn(name);
    const fileName = fileNameOf(name, svg);
    // The prerender build only needs the address; the client build writes the file.
    if (this.environment.name === 'client') this.emitFile({ type: 'asset', fileName, source: svg });
    return `export default ${JSON.stringify(`/${fileName}`)}`;
  },
});

const commandsId = 'virtual:bot-commands';

/** `virtual:bot-commands`: what the bot's command table says about each command, for pages, without the code behind it. */
export const botCommands = (): Plugin => ({
  name: 'bot-commands',
  resolveId: (id) => (id === commandsId ? `\0${id}` : null),
  load: (id) => (id === `\0${commandsId}` ? `export default ${JSON.stringify(guideCommands)}` : null),
});
