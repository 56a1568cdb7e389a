import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

/** The part of JSON Schema that the product's description uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** One call as GET /api/openapi.json describes it. */
export interface DescribedCall {
  readonly method: string;
  /** In the notation of the description: `/api/telegram/configs/{configId}`. */
  readonly path: string;
  readonly access: 'public' | 'dashboard' | 'operator' | 'treasurer' | 'admin';
  readonly parameters: readonly Parameter[];
  /** The schema of the JSON body; null: the call has none. */
  readonly body: JsonSchema | null;
  /** The possible answers by media type. A status without its own description is a failure in the common shape. */
  readonly answersOf: (status: number) => ReadonlyMap<string, ValidateFunction>;
}

const schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null);
const content = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const operation = z.object({
  security: z.array(z.record(z.string(), z.tuple([z.enum(['dashboard', 'operator', 'treasurer', 'admin'])]))).max(1),
  parameters: z
    .array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), required: z.boolean(), schema }))
    .transform((all) => all.flatMap((one) => (one.in === 'header' ? [] : [{ ...one, in: one.in }])))
    .default([]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema }) }) }).optional(),
  responses: z.record(z.string(), z.object({ content })),
});
const description = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.record(z.string(), z.unknown()),
});

/** Every call of a description, with validators for its answers. Throws for an invalid description. */
export function readDescribedCalls(document: unknown): readonly DescribedCall[] {
  const { paths, components } = description.parse(document);
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  // Each schema is compiled by itself, together with the components that it may refer to.
  const compile = (one: object): ValidateFunction => ajv.compile({ ...one, components });
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, parameters, requestBody, responses }]) => {
      const answers = Object.entries(responses).map(([status, answer]) => {
        const kinds = Object.entries(answer.content).map(([kind, of]) => [kind, compile(of.schema)] as const);
        return [status, new Map(kinds)] as const;
      });
      const byStatus = new Map(answers);
      return {
        method: method.toUpperCase(),
        path,
        access: Object.values(security[0] ?? {})[0]?.[0] ?? 'public',
        parameters,
        body: requestBody?.content['application/json'].schema ?? null,
        answersOf: (status) => byStatus.get(String(status)) ?? byStatus.get('default') ?? new Map(),
      };
    }),
  );
}
