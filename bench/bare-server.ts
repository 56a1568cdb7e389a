import { createServer } from 'node:http';

/** The yardstick: node:http that sends recorded answers, nothing else. Reads `{path: {headers, body}}` from stdin. */
interface Recorded {
  readonly headers: readonly string[];
  readonly body: string;
}

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const recorded = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, Recorded>;
const answers = new Map(
  Object.entries(recorded).map(([path, { headers, body }]) => [
    path,
    { headers: [...headers], body: Buffer.from(body, 'base64') },
  ]),
);

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, answer.headers).end(answer.body);
});
// Longer than the time between two visits.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(JSON.stringify({ port: address.port }));
});
process.on('SIGTERM', () => process.exit(0));
