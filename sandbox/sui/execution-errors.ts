import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { describeFailure } from '../transactions/failure-words.ts';
import type { ArgumentProblem, Failure, FailureReason } from '../world/execution.ts';

const kinds = GrpcTypes.ExecutionError_ExecutionErrorKind;
const problems = GrpcTypes.CommandArgumentError_CommandArgumentErrorKind;

/** The only package whose code the sandbox's chain runs. */
export const framework = normalizeSuiAddress('0x2');

const kindOf: Record<FailureReason['kind'], GrpcTypes.ExecutionError_ExecutionErrorKind> = {
  InsufficientGas: kinds.INSUFFICIENT_GAS,
  InsufficientCoinBalance: kinds.INSUFFICIENT_COIN_BALANCE,
  CoinBalanceOverflow: kinds.COIN_BALANCE_OVERFLOW,
  ArityMismatch: kinds.ARITY_MISMATCH,
  TypeArityMismatch: kinds.TYPE_ARITY_MISMATCH,
  MovePrimitiveRuntimeError: kinds.MOVE_PRIMITIVE_RUNTIME_ERROR,
  MoveAbort: kinds.MOVE_ABORT,
  CommandArgumentError: kinds.COMMAND_ARGUMENT_ERROR,
  UnusedValueWithoutDrop: kinds.UNUSED_VALUE_WITHOUT_DROP,
};

/** Why a transaction failed; it still paid its gas. */
export function errorMessage({ reason, command }: Failure): GrpcTypes.ExecutionError {
  return {
    description: describeFailure({ reason, command }),
    kind: kindOf[reason.kind],
    ...(command !== null && { command: BigInt(command) }),
    errorDetails: detailsOf(reason),
  };
}

function detailsOf(reason: FailureReason): GrpcTypes.ExecutionError['errorDetails'] {
  switch (reason.kind) {
    case 'MoveAbort': {
      const { module, functionName, code } = reason;
      return { oneofKind: 'abort', abort: { abortCode: code, location: { package: framework, module, functionName } } };
    }
    case 'CommandArgumentError':
      return {
        oneofKind: 'commandArgumentError',
        commandArgumentError: { argument: reason.argument, ...problemOf(reason.problem) },
      };
    case 'UnusedValueWithoutDrop':
      return { oneofKind: 'indexError', indexError: { index: reason.result, subresult: reason.subresult } };
    default:
      return { oneofKind: undefined };
  }
}

const simpleProblems = {
  TypeMismatch: problems.TYPE_MISMATCH,
  InvalidBCSBytes: problems.INVALID_BCS_BYTES,
  InvalidUsageOfPureArg: problems.INVALID_USAGE_OF_PURE_ARGUMENT,
  InvalidGasCoinUsage: problems.INVALID_GAS_COIN_USAGE,
  InvalidValueUsage: problems.INVALID_VALUE_USAGE,
} as const;

function problemOf(problem: ArgumentProblem): Pick<GrpcTypes.CommandArgumentError, 'kind' | 'indexError'> {
  if (typeof problem === 'string') return { kind: simpleProblems[problem] };
  if ('IndexOutOfBounds' in problem) {
    return { kind: problems.INDEX_OUT_OF_BOUNDS, indexError: { index: problem.IndexOutOfBounds.idx } };
  }
  if ('InvalidResultArity' in problem) {
    return { kind: problems.INVALID_RESULT_ARITY, indexError: { index: problem.InvalidResultArity.resultIdx } };
  }
  const { resultIdx, secondaryIdx } = problem.SecondaryIndexOutOfBounds;
  return { kind: problems.SECONDARY_INDEX_OUT_OF_BOUNDS, indexError: { index: resultIdx, subresult: secondaryIdx } };
}
