import type { Failure, FailureReason } from '../world/execution.ts';

/** Why a transaction failed, written as effects show it. */
export function describeFailure({ reason, command }: Failure): string {
  return `${describe(reason)}${command === null ? '' : ` in command ${command}`}`;
}

function describe(reason: FailureReason): string {
  if (reason.kind === 'MoveAbort') {
    return `MoveAbort(MoveLocation { module: 0x2::${reason.module}, function_name: Some("${reason.functionName}") }, ${reason.code})`;
  }
  if (reason.kind === 'CommandArgumentError') {
    const { argument, problem } = reason;
    return `CommandArgumentError { arg_idx: ${argument}, kind: ${typeof problem === 'string' ? problem : Object.keys(problem).join('')} }`;
  }
  if (reason.kind === 'UnusedValueWithoutDrop') {
    return `UnusedValueWithoutDrop { result_idx: ${reason.result}, secondary_idx: ${reason.subresult} }`;
  }
  return reason.kind;
}
