/**
 * Decodes what a transaction does from its bytes alone: a separate BCS decoder (https://docs.sui.io, `TransactionData`) that shares no
 * code with the SDK or with the code that builds payments. It knows only the parts of a payment, and throws on anything else.
 */
export interface DecodedTransaction {
  readonly sender: string;
  readonly gasPayer: string;
  /** The last epoch in which it can be executed. */
  readonly expiresEpoch: bigint;
  /** Every object that it spends, as `id@version`. */
  readonly objects: readonly string[];
  /** In the order of the commands. */
  readonly payments: readonly { readonly address: string; readonly raw: bigint }[];
}

interface Reader {
  readonly byte: () => number;
  readonly number: (size: number) => bigint;
  readonly take: (size: number) => Uint8Array;
  readonly vector: <T>(read: () => T) => T[];
  readonly isDone: () => boolean;
}

function readerOf(bytes: Uint8Array): Reader {
  let at = 0;
  const take = (size: number): Uint8Array => {
    if (at + size > bytes.length) throw new Error('The bytes end too early');
    at += size;
    return bytes.subarray(at - size, at);
  };
  const number = (size: number): bigint => numberOf(take(size));
  const byte = (): number => Number(number(1));
  const length = (): number => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const next = byte();
      value += (next & 0x7f) * 2 ** shift;
      if (next < 0x80) return value;
    }
  };
  const vector = <T>(read: () => T): T[] => Array.from({ length: length() }, read);
  return { byte, number, take, vector, isDone: () => at === bytes.length };
}

const numberOf = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
const addressOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

type Input = { readonly pure: Uint8Array } | { readonly object: string };
type Argument = 'gas' | { readonly input: number } | { readonly result: number; readonly part: number };
type Command =
  | { readonly transfer: readonly Argument[]; readonly to: Argument }
  | { readonly split: Argument; readonly amounts: readonly Argument[] }
  | { readonly merge: readonly Argument[]; readonly into: Argument };

export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  const reader = readerOf(bytes);
  const { byte, number, take, vector } = reader;
  const expect = (wanted: number, what: string): void => {
    if (byte() !== wanted) throw new Error(`It is not ${what}`);
  };
  const objectRef = (): string => {
    const object = `${addressOf(take(32))}@${number(8)}`;
    expect(32, 'a digest of 32 bytes');
    take(32);
    return object;
  };
  const input = (): Input => {
    if (byte() === 0) return { pure: Uint8Array.from(vector(byte)) };
    expect(0, 'an owned object');
    return { object: objectRef() };
  };
  const argument = (): Argument => {
    const kind = byte();
    if (kind === 0) return 'gas';
    if (kind === 1) return { input: Number(number(2)) };
    if (kind !== 3) throw new Error('A whole result is not a coin');
    return { result: Number(number(2)), part: Number(number(2)) };
  };
  const command = (): Command => {
    const kind = byte();
    if (kind === 1) return { transfer: vector(argument), to: argument() };
    if (kind === 2) return { split: argument(), amounts: vector(argument) };
    if (kind === 3) return { into: argument(), merge: vector(argument) };
    throw new Error(`A payment has no command ${kind}`);
  };
  expect(0, 'version 1 of a transaction');
  expect(0, 'a programmable transaction');
  const [inputs, commands] = [vector(input), vector(command)];
  const sender = addressOf(take(32));
  const gas = vector(objectRef);
  const gasPayer = addressOf(take(32));
  number(16); // price and budget
  expect(1, 'a transaction that expires with an epoch');
  const expiresEpoch = number(8);
  if (!reader.isDone()) throw new Error('There are bytes after the transaction');
  const objects = [...gas, ...inputs.flatMap((each) => ('object' in each ? each.object : []))];
  return { sender, gasPayer, expiresEpoch, objects, payments: run(inputs, commands) };
}

/** As on the chain, a split-off coin has no owner until it is transferred, exactly once. */
function run(inputs: readonly Input[], commands: readonly Command[]): DecodedTransaction['payments'] {
  const pure = (argument: Argument, size: number): Uint8Array => {
    const found = argument !== 'gas' && 'input' in argument ? inputs[argument.input] : undefined;
    if (found === undefined || !('pure' in found) || found.pure.length !== size)
      throw new Error(`There is no value of ${size} bytes`);
    return found.pure;
  };
  const splitOff = new Map<string, bigint>();
  const payments: { readonly address: string; readonly raw: bigint }[] = [];
  for (const [at, command] of commands.entries()) {
    if ('split' in command)
      for (const [part, amount] of command.amounts.entries()) splitOff.set(`${at}/${part}`, numberOf(pure(amount, 8)));
    if (!('transfer' in command)) continue;
    for (const coin of command.transfer) {
      const key = coin !== 'gas' && 'result' in coin ? `${coin.result}/${coin.part}` : 'no part';
      const raw = splitOff.get(key);
      if (raw === undefined || !splitOff.delete(key))
        throw new Error(`${key} was never split off, or transferred twice`);
      payments.push({ address: addressOf(pure(command.to, 32)), raw });
    }
  }
  if (splitOff.size > 0) throw new Error('A split-off coin was not transferred');
  return payments;
}
