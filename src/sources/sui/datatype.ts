import { GrpcTypes } from '@mysten/sui/grpc';
import { canonicalType } from '../../shared/sui-address.ts';
import { hasStatus, malformed, type SuiCall } from './sui-call.ts';

/** What a package publishes under a name. */
export interface Datatype {
  /** Canonical, without type arguments, with the package that first defined it: the form in which objects carry their type. */
  readonly definedType: string;
  /** A struct with `key`: its values are objects of their own. */
  readonly isObject: boolean;
  readonly typeParameterCount: number;
}

/** null: there is no such package, module or type. `baseType` is canonical, without type arguments. Throws Unavailable. */
export async function readDatatype(call: SuiCall, baseType: string, stop?: AbortSignal): Promise<Datatype | null> {
  const [packageId = '', moduleName = '', name = ''] = baseType.split('::');
  const datatype = await call(
    'GetDatatype',
    async (client, options) => {
      try {
        const answer = await client.movePackageService.getDatatype({ packageId, moduleName, name }, options);
        return answer.response.datatype;
      } catch (error) {
        // An object that is no package is INVALID_ARGUMENT.
        if (hasStatus(error, 'NOT_FOUND') || hasStatus(error, 'INVALID_ARGUMENT')) return null;
        throw error;
      }
    },
    stop,
  );
  if (datatype === null) return null;
  const definedType = canonicalType(
    `${datatype?.definingId ?? ''}::${datatype?.module ?? ''}::${datatype?.name ?? ''}`,
  );
  if (datatype === undefined || definedType === null) throw malformed('A type without a name');
  if (!definedType.endsWith(`::${moduleName}::${name}`)) throw malformed('A different type than requested');
  return {
    definedType,
    isObject:
      datatype.kind === GrpcTypes.DatatypeDescriptor_DatatypeKind.STRUCT &&
      datatype.abilities.includes(GrpcTypes.Ability.KEY),
    typeParameterCount: datatype.typeParameters.length,
  };
}
