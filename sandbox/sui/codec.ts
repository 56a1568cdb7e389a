/** The part of the SDK's generated message types that the sandbox uses. */
export type Codec<T> = {
  readonly typeName: string;
  readonly fields: readonly { readonly name?: string; readonly localName?: string; readonly kind?: string }[];
  fromBinary: (bytes: Uint8Array) => T;
  toBinary: (message: T) => Uint8Array;
};
