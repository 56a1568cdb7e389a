import { z } from 'zod';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer } from '../service/answer.ts';
import type { WorldControl } from '../world/control.ts';
import { Impossible } from '../world/state.ts';
import { plain } from './plain.ts';
import type { Machinery } from './sandbox-commands.ts';
import { machineryCommands } from './sandbox-commands.ts';
import { summaryOf } from './summary.ts';
import { readTelegram, telegramCommands } from './telegram-commands.ts';
import { worldCommands } from './world-commands.ts';

export const controlPrefix = '/control/';
const telegramPrefix = 'telegram/';

/** Everything under /control: GET reads, POST (JSON) does. Answers `{data}` or `{message}`. */
export async function answerControl(world: WorldControl, machinery: Machinery, ask: Ask): Promise<Answer> {
  const name = ask.path.slice(controlPrefix.length);
  if (ask.method === 'GET') return read(world, machinery, name, ask.query);
  if (ask.method !== 'POST') return problem(405, 'GET or POST');
  const refusal = refuse(ask);
  if (refusal) return refusal;
  try {
    const body = parseBody(ask);
    const ofWorld = worldCommands[name];
    if (ofWorld) return data(ofWorld(world, body));
    const ofTelegram = name.startsWith(telegramPrefix)
      ? telegramCommands[name.slice(telegramPrefix.length)]
      : undefined;
    if (ofTelegram) return data(ofTelegram(machinery.telegram, body));
    const ofMachinery = machineryCommands[name];
    return ofMachinery ? data(await ofMachinery(machinery, body)) : problem(404, `No such command: ${name}`);
  } catch (error) {
    return problemOf(error);
  }
}

function read(world: WorldControl, machinery: Machinery, name: string, query: URLSearchParams): Answer {
  if (name.startsWith(telegramPrefix)) return readOfTelegram(machinery, name.slice(telegramPrefix.length), query);
  switch (name) {
    case 'state':
      return data(world.state);
    case 'summary':
      return data(summaryOf(world, machinery));
    case 'requests':
      return data(machinery.requests.all());
    case 'faults':
      return data(Object.fromEntries(machinery.faults.services().map((each) => [each, machinery.faults.of(each)])));
    case 'commands':
      return data([
        ...Object.keys(worldCommands),
        ...Object.keys(machineryCommands),
        ...Object.keys(telegramCommands).map((each) => telegramPrefix + each),
      ]);
    default:
      return problem(404, `Nothing to read at: ${name}`);
  }
}

function readOfTelegram({ telegram }: Machinery, name: string, query: URLSearchParams): Answer {
  try {
    const found = readTelegram(telegram, name, query);
    return found === undefined ? problem(404, `Nothing to read at: ${telegramPrefix}${name}`) : data(found);
  } catch (error) {
    return problemOf(error);
  }
}

/** A name that someone pointed at this machine: the sandbox is addressed as what it is. */
export function isForeignHost(ask: Ask): boolean {
  return !/^(127\.0\.0\.1|localhost):\d+$/.test(String(ask.headers.host));
}

/** A page of another site must not drive the sandbox: no foreign Origin, JSON only. */
function refuse(ask: Ask): Answer | null {
  const { host, origin } = ask.headers;
  if (origin !== undefined && origin !== `http://${String(host)}`) return problem(403, 'Foreign origin');
  const type = String(ask.headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim();
  return type === 'application/json' ? null : problem(415, 'Send application/json');
}

function parseBody(ask: Ask): unknown {
  if (ask.body.length === 0) return {};
  try {
    return JSON.parse(ask.body.toString('utf8'));
  } catch {
    throw new Impossible('The body is not JSON');
  }
}

function data(value: unknown): Answer {
  return jsonAnswer(200, { data: plain(value) });
}

function problem(status: number, message: string): Answer {
  return jsonAnswer(status, { message });
}

function problemOf(error: unknown): Answer {
  if (error instanceof z.ZodError) return problem(400, z.prettifyError(error));
  if (error instanceof Impossible) return problem(409, error.message);
  throw error;
}
