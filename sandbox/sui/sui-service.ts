import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import type { Answer, Ask } from '../service/answer.ts';
import { textAnswer } from '../service/answer.ts';
import type { ServiceDefinition } from '../service/start-service.ts';
import { newestCheckpoint } from '../world/ledger.ts';
import type { WorldContext } from '../world/state.ts';
import type { Codec } from './codec.ts';
import { getEpoch } from './epoch-service.ts';
import { execute, simulate } from './execution-service.ts';
import { decodeReply, decodeRequest, encodeRefusal, encodeReply, GrpcRefusal } from './grpc-web.ts';
import { batchGetObjects, getCheckpoint, getObject, getServiceInfo } from './ledger-service.ts';
import { lookupName, reverseLookupName } from './name-service.ts';
import { getDatatype } from './package-service.ts';
import { getTransaction, listEvents, listTransactions } from './query-service.ts';
import { verifySignature } from './signature-service.ts';
import { getBalance, getCoinInfo, listBalances, listDynamicFields, listOwnedObjects } from './state-service.ts';
import type { Lie } from '../faults/fault-board.ts';
import { garbled } from './garbled.ts';
import { untrue } from './untrue-transaction.ts';

type Method = {
  handle: (ask: Ask) => Promise<Answer>;
  garble: (ask: Ask, answer: Answer) => Answer;
  lie: (ask: Ask, answer: Answer, about: Lie) => Answer;
};

function method<I, O>(request: Codec<I>, reply: Codec<O>, respond: (request: I) => O | O[] | Promise<O>): Method {
  return {
    handle: async (ask) => {
      const answered = await respond(decodeRequest(ask, request));
      return encodeReply(ask, reply, Array.isArray(answered) ? answered : [answered]);
    },
    garble: (ask, answer) => encodeReply(ask, reply, decodeReply(answer, reply).map(garbled)),
    lie: (ask, answer, about) => {
      const told = decodeReply(answer, reply).map((message) => untrue(message, about));
      // A refusal has no message to falsify.
      return told.length === 0 ? answer : encodeReply(ask, reply, told);
    },
  };
}

const pathPrefix = '/sui.rpc.v2.';

/**
 * A Sui full node over gRPC-web (text and binary), or the archive, which also has what the node has pruned.
 * `imageBaseUrl` is a function because it is only known once all ports are.
 */
export function suiService(
  world: WorldContext,
  imageBaseUrl: () => string,
  name: 'sui' | 'archive' = 'sui',
): ServiceDefinition {
  const firstKept = (): number => (name === 'archive' ? 0 : world.state.firstKeptCheckpoint);
  const methods = methodsOf(world, imageBaseUrl, firstKept);
  return {
    name,
    answer: async (ask) => withInfo(await answer(methods, ask), name === 'sui' ? world : null),
    operationsOf: (ask) => [ask.path.startsWith(pathPrefix) ? ask.path.slice(pathPrefix.length) : 'unknown'],
    malformed: textAnswer(200, 'AAAA!!not-base64-and-not-a-frame', 'application/grpc-web-text+proto'),
    wrongTypes: (reply, ask) => methods.get(ask.path)?.garble(ask, reply) ?? reply,
    lie: (reply, ask, about) => methods.get(ask.path)?.lie(ask, reply, about) ?? reply,
  };
}

/** The headers that a full node adds to each answer (sui-rpc-api, `append_info_headers`); the archive adds none. */
function withInfo(answered: Answer, world: WorldContext | null): Answer {
  if (world === null) return answered;
  const info = {
    'x-sui-checkpoint-height': String(newestCheckpoint(world)),
    'x-sui-timestamp-ms': String(world.now().getTime()),
  };
  return { ...answered, headers: { ...answered.headers, ...info } };
}

async function answer(methods: Map<string, Method>, ask: Ask): Promise<Answer> {
  if (ask.method !== 'POST') return textAnswer(405, 'POST only');
  try {
    const found = methods.get(ask.path);
    if (!found) throw new GrpcRefusal(GrpcStatusCode.UNIMPLEMENTED, `${ask.path} is not part of the sandbox`);
    return await found.handle(ask);
  } catch (error) {
    const refusal =
      error instanceof GrpcRefusal ? error : new GrpcRefusal(GrpcStatusCode.INTERNAL, `sandbox: ${String(error)}`);
    return encodeRefusal(ask, refusal);
  }
}

function methodsOf(world: WorldContext, imageBaseUrl: () => string, firstKept: () => number): Map<string, Method> {
  const methods = {
    ...stateMethods(world, imageBaseUrl),
    ...objectMethods(world, imageBaseUrl),
    ...ledgerMethods(world, firstKept),
    ...executionMethods(world),
    ...otherMethods(world),
  };
  return new Map(Object.entries(methods).map(([name, entry]) => [`${pathPrefix}${name}`, entry]));
}

const t = GrpcTypes;

function stateMethods(world: WorldContext, imageBaseUrl: () => string): Record<string, Method> {
  return {
    'StateService/ListBalances': method(t.ListBalancesRequest, t.ListBalancesResponse, (request) =>
      listBalances(world, request),
    ),
    'StateService/GetBalance': method(t.GetBalanceRequest, t.GetBalanceResponse, (request) =>
      getBalance(world, request),
    ),
    'StateService/GetCoinInfo': method(t.GetCoinInfoRequest, t.GetCoinInfoResponse, (request) =>
      getCoinInfo(world, request),
    ),
    'StateService/ListOwnedObjects': method(t.ListOwnedObjectsRequest, t.ListOwnedObjectsResponse, (request) =>
      listOwnedObjects(world, imageBaseUrl(), request),
    ),
    'StateService/ListDynamicFields': method(t.ListDynamicFieldsRequest, t.ListDynamicFieldsResponse, (request) =>
      listDynamicFields(world, imageBaseUrl(), request),
    ),
  };
}

function objectMethods(world: WorldContext, imageBaseUrl: () => string): Record<string, Method> {
  return {
    'LedgerService/GetObject': method(t.GetObjectRequest, t.GetObjectResponse, (request) =>
      getObject(world, imageBaseUrl(), request),
    ),
    'LedgerService/BatchGetObjects': method(t.BatchGetObjectsRequest, t.BatchGetObjectsResponse, (request) =>
      batchGetObjects(world, imageBaseUrl(), request),
    ),
  };
}

function ledgerMethods(world: WorldContext, firstKept: () => number): Record<string, Method> {
  return {
    'LedgerService/GetServiceInfo': method(t.GetServiceInfoRequest, t.GetServiceInfoResponse, () =>
      getServiceInfo(world, firstKept()),
    ),
    'LedgerService/GetCheckpoint': method(t.GetCheckpointRequest, t.GetCheckpointResponse, (request) =>
      getCheckpoint(world, firstKept(), request),
    ),
    'LedgerService/GetTransaction': method(t.GetTransactionRequest, t.GetTransactionResponse, (request) =>
      getTransaction(world, firstKept(), request),
    ),
    'LedgerService/ListTransactions': method(t.ListTransactionsRequest, t.ListTransactionsResponse, (request) =>
      listTransactions(world, firstKept(), request),
    ),
    'LedgerService/ListEvents': method(t.ListEventsRequest, t.ListEventsResponse, (request) =>
      listEvents(world, firstKept(), request),
    ),
  };
}

function executionMethods(world: WorldContext): Record<string, Method> {
  return {
    'LedgerService/GetEpoch': method(t.GetEpochRequest, t.GetEpochResponse, (request) => getEpoch(world, request)),
    'TransactionExecutionService/SimulateTransaction': method(
      t.SimulateTransactionRequest,
      t.SimulateTransactionResponse,
      (request) => simulate(world, request),
    ),
    'TransactionExecutionService/ExecuteTransaction': method(
      t.ExecuteTransactionRequest,
      t.ExecuteTransactionResponse,
      (request) => execute(world, request),
    ),
  };
}

function otherMethods(world: WorldContext): Record<string, Method> {
  return {
    'NameService/ReverseLookupName': method(t.ReverseLookupNameRequest, t.ReverseLookupNameResponse, (request) =>
      reverseLookupName(world, request),
    ),
    'NameService/LookupName': method(t.LookupNameRequest, t.LookupNameResponse, (request) =>
      lookupName(world, request),
    ),
    'MovePackageService/GetDatatype': method(t.GetDatatypeRequest, t.GetDatatypeResponse, (request) =>
      getDatatype(world, request),
    ),
    'SignatureVerificationService/VerifySignature': method(
      t.VerifySignatureRequest,
      t.VerifySignatureResponse,
      (request) => verifySignature(world, request),
    ),
  };
}
