import { existsSync, readFileSync } from 'node:fs';
import type { CallRecord } from './discord-server.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
};
/** The published description of the HTTP API v10 (OpenAPI 3.1), as far as it is used. */
export type DiscordSpec = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Beside the repository, not in it; may be absent. */
const file = new URL('../../../shared/specs/discord-openapi.json', import.meta.url);

export function loadDiscordSpec(): DiscordSpec | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DiscordSpec) : null;
}

/** What in a call, and in its answer if it succeeded, does not fit the description; empty if all is well. */
export function problemsOfCall(spec: DiscordSpec, call: CallRecord): string[] {
  const name = `${call.method} ${call.route}`;
  const operation = spec.paths[call.route]?.[call.method.toLowerCase()];
  if (!operation) return [`${name}: no such call`];
  const known = (operation.parameters ?? []).filter((each) => each.in === 'query');
  const unknown = Object.keys(call.query).filter((given) => !known.some((each) => each.name === given));
  const missing = known.filter((each) => each.required && !(each.name in call.query));
  return [
    ...unknown.map((given) => `${name}: no such parameter: ${given}`),
    ...missing.map((each) => `${name}: ${each.name} is missing`),
    ...problemsOfBody(spec, operation, call.body, name),
    ...problemsOfAnswer(spec, operation, call, name),
  ];
}

function problemsOfBody(spec: DiscordSpec, { requestBody }: Operation, body: unknown, name: string): string[] {
  const schema = requestBody?.content?.['application/json']?.schema;
  if (body === null) return requestBody?.required ? [`${name}: no body`] : [];
  return schema ? problemsOf(spec, schema, body, name) : [`${name}: takes no body`];
}

/** The description gives refusals only a status, so their bodies are not checked. */
function problemsOfAnswer(spec: DiscordSpec, { responses }: Operation, call: CallRecord, name: string): string[] {
  if (call.status >= 400) return [];
  const described = responses[String(call.status)];
  if (!described) return [`${name}: never answers ${call.status}`];
  const schema = described.content?.['application/json']?.schema;
  if (!schema) return call.answer === null ? [] : [`${name}: has no answer body`];
  return problemsOf(spec, schema, call.answer, `${name} answer`);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Everything that does not fit a schema; for alternatives, the problems of the best fit. */
function problemsOf(spec: DiscordSpec, schema: Schema, value: unknown, where: string): string[] {
  if (schema.$ref !== undefined) {
    const named = spec.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
    return named ? problemsOf(spec, named, value, where) : [`${where}: no such schema: ${schema.$ref}`];
  }
  const alternatives = schema.oneOf ?? schema.anyOf ?? [];
  const best = alternatives
    .map((each) => problemsOf(spec, each, value, where))
    .toSorted((one, other) => one.length - other.length)[0];
  const every = (schema.allOf ?? []).flatMap((each) => problemsOf(spec, each, value, where));
  return [...(best ?? []), ...every, ...problemsOfValue(spec, schema, value, where)];
}

function problemsOfValue(spec: DiscordSpec, schema: Schema, value: unknown, where: string): string[] {
  const type = typeOf(value);
  const types = schema.type === undefined ? [type] : [schema.type].flat();
  const isOfType = types.includes(type) || (type === 'integer' && types.includes('number'));
  const shown = (): string => JSON.stringify(value).slice(0, 60);
  if (!isOfType) return [`${where}: not ${types.join(' or ')}: ${shown()}`];
  const allowed = schema.const === undefined ? schema.enum : [schema.const];
  if (value !== null && allowed && !allowed.includes(value)) return [`${where}: not allowed: ${shown()}`];
  if (!isWithin(schema, value)) return [`${where}: too long, too short or out of range: ${shown()}`];
  if (Array.isArray(value) && schema.items) {
    const { items } = schema;
    return value.flatMap((each, index) => problemsOf(spec, items, each, `${where}[${index}]`));
  }
  return type === 'object' ? problemsOfObject(spec, schema, value as Record<string, unknown>, where) : [];
}

function isWithin(schema: Schema, value: unknown): boolean {
  if (typeof value === 'string') {
    const { minLength = 0, maxLength = Infinity, pattern } = schema;
    const isLong = value.length >= minLength && value.length <= maxLength;
    return isLong && (pattern === undefined || new RegExp(pattern, 'u').test(value));
  }
  if (typeof value === 'number') return value >= (schema.minimum ?? value) && value <= (schema.maximum ?? value);
  if (Array.isArray(value))
    return value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Infinity);
  return true;
}

function problemsOfObject(
  spec: DiscordSpec,
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  where: string,
): string[] {
  const { properties, required = [], additionalProperties } = schema;
  const missing = required.filter((name) => value[name] === undefined).map((name) => `${where}.${name} is missing`);
  const inner = Object.entries(value).flatMap(([name, each]) => {
    const described = properties?.[name];
    if (described) return problemsOf(spec, described, each, `${where}.${name}`);
    if (typeof additionalProperties === 'object')
      return problemsOf(spec, additionalProperties, each, `${where}.${name}`);
    return properties && additionalProperties !== true ? [`${where}.${name} is not in the description`] : [];
  });
  return [...missing, ...inner];
}
