import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';

/** Set by Node itself for each answer; the yardstick's own Node adds them too. */
const addedByNode = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

const record = (url: string): Promise<{ headers: string[]; body: string }> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const headers = response.rawHeaders.flatMap((name, index, all) =>
          index % 2 === 0 && !addedByNode.has(name.toLowerCase()) ? [name, all[index + 1] ?? ''] : [],
        );
        resolve({ headers: [...headers, 'content-length', String(body.length)], body: body.toString('base64') });
      });
    })
      .on('error', reject)
      .end();
  });

export interface Yardstick {
  readonly url: string;
  stop(): void;
}

/** Records the origin's answers to these paths and serves them from a bare server in a separate process. */
export const startYardstick = async (origin: string, paths: readonly string[]): Promise<Yardstick> => {
  const recorded = Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await record(origin + path)])),
  );
  const child = spawn(process.execPath, ['bench/bare-server.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(recorded));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port } = JSON.parse(line) as { port: number };
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
};
