import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc';
import { parseStructTag } from '@mysten/sui/utils';
import type { WorldContext, WorldState } from '../world/state.ts';
import { canonicalAddress, canonicalType } from '../world/sui-names.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { required } from './state-service.ts';

const { COPY, DROP, KEY, STORE } = GrpcTypes.Ability;
const { STRUCT, ENUM } = GrpcTypes.DatatypeDescriptor_DatatypeKind;

type Datatype = { kind: GrpcTypes.DatatypeDescriptor_DatatypeKind; abilities: GrpcTypes.Ability[]; parameters: number };

const struct = (abilities: GrpcTypes.Ability[], parameters = 0): Datatype => ({ kind: STRUCT, abilities, parameters });
const object = (parameters = 0): Datatype => struct([STORE, KEY], parameters);

/** Framework types that could be entered by mistake. */
const framework: Record<string, Datatype> = {
  '0x2::coin::Coin': object(1),
  '0x2::sui::SUI': struct([DROP]),
  '0x2::kiosk::Kiosk': object(),
  '0x2::kiosk::KioskOwnerCap': object(),
  '0x2::kiosk::Item': struct([COPY, DROP, STORE]),
};

/** A datatype of a package; NOT_FOUND when it was never published. */
export function getDatatype(world: WorldContext, request: GrpcTypes.GetDatatypeRequest): GrpcTypes.GetDatatypeResponse {
  const packageId = required('package_id', request.packageId, canonicalAddress);
  const module = required('module_name', request.moduleName, (given) => given);
  const name = required('name', request.name, (given) => given);
  const typeName = `${packageId}::${module}::${name}`;
  const found = datatypesOf(world.state).get(typeName);
  if (!found) throw new GrpcRefusal(GrpcStatusCode.NOT_FOUND, `Datatype ${typeName} not found`);
  return {
    datatype: GrpcTypes.DatatypeDescriptor.create({
      typeName,
      definingId: packageId,
      module,
      name,
      kind: found.kind,
      abilities: found.abilities,
      typeParameters: Array.from({ length: found.parameters }, () => ({ constraints: [], isPhantom: true })),
    }),
  };
}

/** NFTs have `key`; coin types and type parameters do not. Every collection's package also has the enum `Mood`. */
function datatypesOf(state: WorldState): Map<string, Datatype> {
  const found = new Map(Object.entries(framework).map(([type, datatype]) => [canonicalType(type), datatype]));
  for (const coinType of state.coins.keys()) found.set(coinType, found.get(coinType) ?? struct([DROP]));
  for (const { nftType } of state.collections.values()) {
    const { address, module, name, typeParams } = parseStructTag(nftType);
    found.set(`${address}::${module}::${name}`, object(typeParams.length));
    found.set(`${address}::${module}::Mood`, { kind: ENUM, abilities: [COPY, DROP, STORE], parameters: 0 });
    for (const each of typeParams) {
      if (typeof each !== 'string') found.set(`${each.address}::${each.module}::${each.name}`, struct([DROP]));
    }
  }
  return found;
}
