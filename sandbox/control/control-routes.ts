import { z } from 'zod';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer } from '../service/answer.ts';
import type { WorldControl } from '../world/control.ts';
import { Impossible } from '../world/state.ts';
import { chainCommands } from './chain-commands.ts';
import { discordCommands, readDiscord } from './discord-commands.ts';
import { refuse } from './guards.ts';
import { plain } from './plain.ts';
import type { Machinery } from './sandbox-commands.ts';
import { machineryCommands } from './sandbox-commands.ts';
import { summaryOf } from './summary.ts';
import { readTelegram, telegramCommands } from './telegram-commands.ts';
import { readWallets, walletCommands } from './wallet-commands.ts';
import { worldCommands } from './world-commands.ts';

export const controlPrefix = '/control/';

/** A part of the sandbox with commands and readings under its own prefix. */
type Part = {
  prefix: string;
  commands: readonly string[];
  run: (machinery: Machinery, name: string) => ((body: unknown) => unknown) | undefined;
  read: (machinery: Machinery, name: string, query: URLSearchParams) => unknown;
};

const parts: readonly Part[] = [
  {
    prefix: 'telegram/',
    commands: Object.keys(telegramCommands),
    run: ({ telegram }, name) => {
      const command = named(telegramCommands, name);
      return command && ((body) => command(telegram, body));
    },
    read: ({ telegram }, name, query) => readTelegram(telegram, name, query),
  },
  {
    prefix: 'discord/',
    commands: Object.keys(discordCommands),
    run: ({ discord }, name) => {
      const command = named(discordCommands, name);
      return command && ((body) => command(discord, body));
    },
    read: ({ discord }, name, query) => readDiscord(discord, name, query),
  },
  {
    prefix: 'chain/',
    commands: Object.keys(chainCommands),
    run: ({ chain }, name) => {
      const command = named(chainCommands, name);
      return command && ((body) => command(chain, body));
    },
    read: () => undefined,
  },
  {
    prefix: 'wallets/',
    commands: Object.keys(walletCommands),
    run: (machinery, name) => {
      const command = named(walletCommands, name);
      return command && ((body) => command(machinery, body));
    },
    read: (machinery, name) => readWallets(machinery, name),
  },
];

/** Everything under /control: GET reads, POST (JSON) runs a command. Answers `{data}` or `{message}`. */
export async function answerControl(world: WorldControl, machinery: Machinery, ask: Ask): Promise<Answer> {
  const name = ask.path.slice(controlPrefix.length);
  if (ask.method === 'GET') return read(world, machinery, name, ask.query);
  if (ask.method !== 'POST') return problem(405, 'GET or POST');
  const refusal = refuse(ask);
  if (refusal) return refusal;
  try {
    const body = parseBody(ask);
    const ofWorld = named(worldCommands, name);
    if (ofWorld) return data(ofWorld(world, body));
    const part = partOf(name);
    const ofPart = part?.run(machinery, name.slice(part.prefix.length));
    if (ofPart) return data(await ofPart(body));
    const ofMachinery = named(machineryCommands, name);
    return ofMachinery ? data(await ofMachinery(machinery, body)) : problem(404, `No such command: ${name}`);
  } catch (error) {
    return problemOf(error);
  }
}

function partOf(name: string): Part | undefined {
  return parts.find(({ prefix }) => name.startsWith(prefix));
}

/** Names come from outside: `constructor` is not a command, though every object has one. */
function named<T>(commands: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

function read(world: WorldControl, machinery: Machinery, name: string, query: URLSearchParams): Answer {
  const part = partOf(name);
  if (part) return readOfPart(part, machinery, name, query);
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
        ...parts.flatMap(({ prefix, commands }) => commands.map((each) => prefix + each)),
      ]);
    default:
      return problem(404, `Nothing to read at: ${name}`);
  }
}

function readOfPart(part: Part, machinery: Machinery, name: string, query: URLSearchParams): Answer {
  try {
    const found = part.read(machinery, name.slice(part.prefix.length), query);
    return found === undefined ? problem(404, `Nothing to read at: ${name}`) : data(found);
  } catch (error) {
    return problemOf(error);
  }
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
