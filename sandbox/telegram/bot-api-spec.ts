import { existsSync, readFileSync } from 'node:fs';
import type { CallRecord } from './telegram-server.ts';

type Field = { name: string; types: string[]; required: boolean };
type SpecType = { fields?: Field[]; subtypes?: string[] };
/** The published Bot API as data: its methods and its types. */
export type BotApiSpec = {
  version: string;
  methods: Record<string, { fields?: Field[]; returns: string[] }>;
  types: Record<string, SpecType>;
};

/** Beside the repository, not in it; may be absent. */
const file = new URL('../../../shared/specs/telegram-bot-api.json', import.meta.url);

export function loadBotApiSpec(): BotApiSpec | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BotApiSpec) : null;
}

/** What in a call, and in its answer if it succeeded, does not fit the Bot API; empty if all is well. */
export function problemsOfCall(spec: BotApiSpec, call: CallRecord): string[] {
  const method = spec.methods[call.method];
  if (!method) return [`${call.method}: no such method`];
  const answered =
    call.status === 200 ? problemsOfEither(spec, method.returns, call.result, `${call.method} answer`) : [];
  return [...problemsOfParameters(spec, call, method.fields ?? []), ...answered];
}

function problemsOfParameters(spec: BotApiSpec, call: CallRecord, fields: readonly Field[]): string[] {
  const given = Object.entries(call.parameters);
  const unknown = given
    .filter(([name]) => !fields.some((field) => field.name === name))
    .map(([name]) => `${call.method}: no such parameter: ${name}`);
  const missing = fields
    .filter(({ name, required }) => required && !(name in call.parameters) && !call.uploads.includes(name))
    .map(({ name }) => `${call.method}: ${name} is missing`);
  const wrong = given.flatMap(([name, text]) => {
    const field = fields.find((each) => each.name === name);
    return field ? problemsOfText(spec, field.types, text, `${call.method} ${name}`) : [];
  });
  return [...unknown, ...missing, ...wrong];
}

/** Parameters are recorded as the text received; everything but a string is JSON. */
function problemsOfText(spec: BotApiSpec, types: readonly string[], text: string, where: string): string[] {
  if (types.includes('String') || types.includes('InputFile')) return [];
  try {
    return problemsOfEither(spec, types, JSON.parse(text), where);
  } catch {
    return [`${where}: not JSON: ${text.slice(0, 60)}`];
  }
}

/** One of the types must fit; otherwise gives the problems of the best fit. */
function problemsOfEither(spec: BotApiSpec, types: readonly string[], value: unknown, where: string): string[] {
  const each = types.map((type) => problemsOfValue(spec, type, value, where));
  return each.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

const primitives: Readonly<Record<string, (value: unknown) => boolean>> = {
  Integer: Number.isInteger,
  Float: (value) => typeof value === 'number',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
};

function problemsOfValue(spec: BotApiSpec, type: string, value: unknown, where: string): string[] {
  const inner = /^Array of (.+)$/.exec(type)?.[1];
  if (inner !== undefined) {
    if (!Array.isArray(value)) return [`${where}: not a list`];
    return value.flatMap((each, index) => problemsOfValue(spec, inner, each, `${where}[${index}]`));
  }
  const isOfType = primitives[type];
  if (isOfType) return isOfType(value) ? [] : [`${where}: not a ${type}: ${JSON.stringify(value)?.slice(0, 60)}`];
  const known = spec.types[type];
  if (!known) return [`${where}: no such type: ${type}`];
  if (known.subtypes) return problemsOfEither(spec, known.subtypes, value, where);
  return problemsOfObject(spec, known.fields ?? [], value, where);
}

function problemsOfObject(spec: BotApiSpec, fields: readonly Field[], value: unknown, where: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${where}: not an object`];
  const given = new Map<string, unknown>(Object.entries(value).filter(([, inner]) => inner !== undefined));
  const problems = fields.flatMap(({ name, types, required }) => {
    if (given.has(name)) return problemsOfEither(spec, types, given.get(name), `${where}.${name}`);
    return required ? [`${where}.${name} is missing`] : [];
  });
  const unknown = [...given.keys()].filter((name) => !fields.some((field) => field.name === name));
  return [...problems, ...unknown.map((name) => `${where}.${name} is not in the Bot API`)];
}
