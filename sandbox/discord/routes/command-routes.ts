import { z } from 'zod';
import type { DiscordServer } from '../discord-server.ts';
import type { Json } from '../discord-state.ts';
import { invalidForm, refusal } from '../refusal.ts';
import type { Call, Reply, Route } from './route.ts';
import { done, ok, readBody } from './route.ts';

const commandName = z
  .string()
  .regex(/^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u, 'Command name is invalid')
  .refine((name) => name === name.toLowerCase(), 'Command name is invalid');
const description = z.string().min(1).max(100, 'Must be between 1 and 100 in length.');
const choice = z.looseObject({ name: z.string().min(1).max(100), value: z.union([z.string().max(100), z.number()]) });
const plainOption = z.looseObject({
  type: z.int().min(1).max(11),
  name: commandName,
  description,
  required: z.boolean().nullish(),
  choices: z.array(choice).max(25).nullish(),
});
const option = plainOption.extend({ options: z.array(plainOption).max(25).nullish() });
const form = z.object({
  name: commandName,
  type: z.int().min(1).max(3).nullish(),
  description: z.string().max(100).nullish(),
  name_localizations: z.record(z.string(), z.string()).nullish(),
  description_localizations: z.record(z.string(), z.string()).nullish(),
  options: z.array(option).max(25).nullish(),
  default_member_permissions: z.union([z.string().regex(/^\d+$/), z.int()]).nullish(),
  dm_permission: z.boolean().nullish(),
  contexts: z.array(z.int().min(0).max(2)).min(1).nullish(),
  integration_types: z.array(z.int().min(0).max(1)).nullish(),
  nsfw: z.boolean().nullish(),
});
type Form = z.infer<typeof form>;

const paths = ['/applications/{application_id}/commands', '/applications/{application_id}/guilds/{guild_id}/commands'];

/** Registered commands, global or of one server. */
export const commandRoutes: Route[] = paths.flatMap((path): Route[] => [
  { method: 'GET', path, access: 'bot', bucket: 'other', run: (server, call) => ok(registered(server, call)) },
  { method: 'PUT', path, access: 'bot', bucket: 'other', run: replaceAll },
  { method: 'POST', path, access: 'bot', bucket: 'other', run: createOne },
  {
    method: 'GET',
    path: `${path}/{command_id}`,
    access: 'bot',
    bucket: 'other',
    run: (server, call) => ok(commandOf(server, call)),
  },
  { method: 'PATCH', path: `${path}/{command_id}`, access: 'bot', bucket: 'other', run: changeOne },
  {
    method: 'DELETE',
    path: `${path}/{command_id}`,
    access: 'bot',
    bucket: 'other',
    run: (server, call) => {
      const gone = commandOf(server, call);
      store(
        server,
        call,
        registered(server, call).filter((each) => each !== gone),
      );
      return done;
    },
  },
]);

function scopeOf({ bot, state }: DiscordServer, { params }: Call): string {
  if (params['application_id'] !== bot.id) throw refusal('missingAccess');
  const guildId = params['guild_id'];
  if (guildId === undefined) return 'global';
  if (!state.guilds.get(guildId)?.hasBot) throw refusal('missingAccess');
  return guildId;
}

function registered(server: DiscordServer, call: Call): Json[] {
  return server.state.commands.get(scopeOf(server, call)) ?? [];
}

function store(server: DiscordServer, call: Call, all: Json[]): void {
  server.state.commands.set(scopeOf(server, call), all);
}

function commandOf(server: DiscordServer, call: Call): Json {
  const found = registered(server, call).find(({ id }) => id === call.params['command_id']);
  if (!found) throw refusal('unknownCommand');
  return found;
}

/** What the schema cannot check: a description for slash commands, required options first, each name once. */
function check(given: Form, path: (string | number)[]): void {
  if ((given.type ?? 1) !== 1) return;
  readBody(z.object({ description }), given);
  const options = given.options ?? [];
  const firstOptional = options.findIndex(({ required }) => !required);
  const late = options.findIndex(({ required }, index) => required && firstOptional >= 0 && index > firstOptional);
  if (late >= 0) {
    const sentence = 'Required options must be placed before non-required options';
    throw invalidForm([...path, 'options', late], 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', sentence);
  }
  if (new Set(options.map(({ name }) => name)).size === options.length) return;
  const sentence = 'Option names must be unique';
  throw invalidForm([...path, 'options'], 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS', sentence);
}

function wireOf(server: DiscordServer, call: Call, given: Form, id: string): Json {
  const guildId = call.params['guild_id'];
  const permissions = given.default_member_permissions ?? null;
  return {
    id,
    application_id: server.bot.id,
    version: server.ids.next(),
    type: given.type ?? 1,
    name: given.name,
    name_localizations: given.name_localizations ?? null,
    description: given.description ?? '',
    description_localizations: given.description_localizations ?? null,
    default_member_permissions: permissions === null ? null : String(permissions),
    dm_permission: given.dm_permission ?? true,
    contexts: given.contexts ?? (given.dm_permission === false ? [0] : null),
    integration_types: given.integration_types ?? [0],
    nsfw: given.nsfw ?? false,
    ...(given.options && { options: given.options }),
    ...(guildId !== undefined && { guild_id: guildId }),
  };
}

/** A command that keeps its name keeps its id. */
function idFor(server: DiscordServer, call: Call, { name, type }: Form): string {
  const same = registered(server, call).find((each) => each['name'] === name && each['type'] === (type ?? 1));
  return typeof same?.['id'] === 'string' ? same['id'] : server.ids.next();
}

function replaceAll(server: DiscordServer, call: Call): Reply {
  const all = readBody(z.array(form).max(110), call.body);
  for (const [index, given] of all.entries()) check(given, [index]);
  if (new Set(all.map(({ name, type }) => `${type ?? 1}/${name}`)).size < all.length) {
    throw invalidForm([], 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique');
  }
  const made = all.map((given) => wireOf(server, call, given, idFor(server, call, given)));
  store(server, call, made);
  return ok(made);
}

function createOne(server: DiscordServer, call: Call): Reply {
  const given = readBody(form, call.body);
  check(given, []);
  const id = idFor(server, call, given);
  const others = registered(server, call).filter((each) => each['id'] !== id);
  const made = wireOf(server, call, given, id);
  const status = others.length === registered(server, call).length ? 201 : 200;
  store(server, call, [...others, made]);
  return { status, body: made };
}

function changeOne(server: DiscordServer, call: Call): Reply {
  const before = commandOf(server, call);
  const changes = readBody(form.partial(), call.body);
  const given = readBody(form, { ...before, ...changes });
  check(given, []);
  const made = wireOf(server, call, given, String(before['id']));
  store(
    server,
    call,
    registered(server, call).map((each) => (each === before ? made : each)),
  );
  return ok(made);
}
