import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isForeignHost, refuse } from '../control/guards.ts';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import type { ServiceDefinition } from '../service/start-service.ts';
import { shownPeople } from '../wallets/shown-people.ts';
import type { WalletControl } from '../wallets/wallets.ts';
import { Impossible } from '../world/state.ts';
import { asOwnAnswer } from './product-answer.ts';
import { callProduct } from './product-call.ts';

/** Everything under it is the wallet's own and never reaches the product. */
const walletPrefix = '/.sandbox-wallet/';

/** A browser that has a wallet, in front of the product. */
export type WalletBrowser = {
  /** Origin of the product; null: it has not been told. */
  target: () => string | null;
  /** Any address of the product; only its origin counts. Throws Impossible for what is no http address. */
  setTarget: (address: string) => void;
  service: ServiceDefinition;
};

export function createWalletBrowser(wallets: WalletControl, network: string): WalletBrowser {
  const script = readFileSync(new URL('./assets/sandbox-wallet.js', import.meta.url), 'utf8');
  let target: URL | null = null;
  const answer = async (ask: Ask, gone: AbortSignal): Promise<Answer> => {
    if (isForeignHost(ask)) return jsonAnswer(403, { message: 'Foreign host' });
    if (ask.path.startsWith(walletPrefix)) return walletAnswer(wallets, script, ask);
    if (target === null) return textAnswer(503, 'The sandbox has not been told where the product is.');
    const own = `http://${String(ask.headers.host)}`;
    try {
      const answered = await callProduct(ask, { own, product: target }, gone);
      return asOwnAnswer(answered, { own, product: target }, { script: `${walletPrefix}wallet.js`, network });
    } catch (error) {
      return textAnswer(502, `The product does not answer at ${target.origin}: ${(error as Error).message}`);
    }
  };
  return {
    target: () => target?.origin ?? null,
    setTarget: (address) => (target = productOf(address)),
    service: {
      name: 'walletBrowser',
      answer,
      operationsOf: () => ['page'],
      malformed: textAnswer(200, ''),
      wrongTypes: (reply) => reply,
      maxBodyBytes: 16 * 1_048_576,
    },
  };
}

function productOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Impossible(`Not an address of a product: ${address}`);
  return url;
}

const signOrder = z.strictObject({ address: z.string().max(80), message: z.base64().max(100_000) });

/** What the wallet in the page asks of the wallet behind it. Answers `{data}` or `{message}`. */
async function walletAnswer(wallets: WalletControl, script: string, ask: Ask): Promise<Answer> {
  const name = ask.path.slice(walletPrefix.length);
  if (name === 'wallet.js') return textAnswer(200, script, 'text/javascript; charset=utf-8');
  if (name === 'people') return jsonAnswer(200, { data: shownPeople(wallets) });
  if (name !== 'sign' || ask.method !== 'POST') return jsonAnswer(404, { message: 'The wallet has no such thing' });
  const refusal = refuse(ask);
  if (refusal) return refusal;
  try {
    const { address, message } = signOrder.parse(JSON.parse(ask.body.toString('utf8')));
    const bytes = new Uint8Array(Buffer.from(message, 'base64'));
    return jsonAnswer(200, { data: { bytes: message, signature: await wallets.sign(address, bytes) } });
  } catch (error) {
    return jsonAnswer(400, { message: (error as Error).message });
  }
}
