import type { SuiClient } from '../../sources/sui/sui-client.ts';
import type { SignatureCheck } from '../ports.ts';

/** The port on the SDK and, for zkLogin, a full node. */
export const createSuiSignatures = (sui: Pick<SuiClient, 'verifyPersonalMessage'>): SignatureCheck => ({
  verify: ({ message, signature, wallet }, stop?: AbortSignal) =>
    sui.verifyPersonalMessage({ message: new TextEncoder().encode(message), signature, address: wallet }, stop),
});
