import type { DocumentNode, FieldNode, SelectionSetNode } from 'graphql';
import { execute, parse, validate, visit } from 'graphql';
import { withWrongTypes } from '../faults/wrong-types.ts';
import { pictureAt } from '../console/pictures.ts';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import type { ServiceDefinition } from '../service/start-service.ts';
import type { WorldContext } from '../world/state.ts';
import { fieldResolver } from './resolvers.ts';
import { marketSchema } from './schema.ts';
import { tablesOf } from './tables.ts';

export type MarketAccess = { user: string; key: string };

/** The indexer's single message for every invalid query, with HTTP status 200. */
const refused = jsonAnswer(200, { errors: [{ message: 'Invalid GraphQL query' }] });

/** TradePort's indexer: `POST /graphql` with a user and a key. */
export function marketService(
  world: WorldContext,
  access: MarketAccess,
  imageBaseUrl: () => string,
): ServiceDefinition {
  const schema = marketSchema();
  // Readers repeat the same few queries.
  const checked = new WeakMap<DocumentNode, boolean>();
  const isValid = (document: DocumentNode): boolean => {
    const known = checked.get(document) ?? (!hasIntrospection(document) && validate(schema, document).length === 0);
    checked.set(document, known);
    return known;
  };
  const readQuery = queryReader();
  const answer = async (ask: Ask, gone: AbortSignal): Promise<Answer> => {
    const picture = ask.method === 'GET' ? await pictureAt(ask.path, gone) : null;
    if (picture !== null) return picture;
    if (ask.path !== '/graphql' || ask.method !== 'POST') return jsonAnswer(404, { message: 'Not Found' });
    if (ask.headers['x-api-user'] !== access.user || ask.headers['x-api-key'] !== access.key) {
      return jsonAnswer(401, { message: 'Unauthorized' });
    }
    const query = readQuery(ask);
    if (!query || !isValid(query.document)) return refused;
    const tables = tablesOf(world.state, imageBaseUrl());
    const result = await execute({
      schema,
      document: query.document,
      rootValue: { sui: {} },
      variableValues: query.variables,
      fieldResolver: fieldResolver(tables, world),
    });
    return result.errors && result.errors.length > 0 ? refused : jsonAnswer(200, result);
  };
  return {
    name: 'market',
    answer,
    operationsOf: (ask) => {
      if (ask.path.startsWith('/image/')) return ['picture'];
      const query = readQuery(ask);
      return query ? chainFields(query.document) : ['unknown'];
    },
    malformed: textAnswer(200, '{"data":{"sui":{"collections":[{"id":"', 'application/json'),
    wrongTypes: (reply) => jsonAnswer(200, withWrongTypes(JSON.parse(String(reply.body)))),
  };
}

type Query = { document: DocumentNode; variables: Record<string, unknown> };

const mostDocuments = 100;

function queryReader(): (ask: Ask) => Query | null {
  const documents = new Map<string, DocumentNode>();
  const documentOf = (query: string): DocumentNode => {
    const document = documents.get(query) ?? parse(query);
    if (documents.size >= mostDocuments) documents.clear();
    documents.set(query, document);
    return document;
  };
  return (ask) => {
    try {
      const body: unknown = JSON.parse(ask.body.toString('utf8'));
      if (typeof body !== 'object' || body === null || !('query' in body)) return null;
      const variables = 'variables' in body && typeof body.variables === 'object' ? body.variables : null;
      return { document: documentOf(String(body.query)), variables: { ...variables } };
    } catch {
      return null;
    }
  };
}

function hasIntrospection(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field: (field) => {
      if (field.name.value === '__schema' || field.name.value === '__type') found = true;
    },
  });
  return found;
}

/** The fields requested below the chain: `collections`, `actions`, … */
function chainFields(document: DocumentNode): string[] {
  const names = document.definitions
    .flatMap((definition) => (definition.kind === 'OperationDefinition' ? fieldsOf(definition.selectionSet) : []))
    .flatMap((chain) => fieldsOf(chain.selectionSet))
    .map((field) => field.name.value);
  return names.length > 0 ? names : ['unknown'];
}

function fieldsOf(selectionSet: SelectionSetNode | undefined): FieldNode[] {
  return (selectionSet?.selections ?? []).filter((selection) => selection.kind === 'Field');
}
