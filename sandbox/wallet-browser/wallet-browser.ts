import { readFileSync } from 'node:fs';
import { isForeignHost, refuse } from '../control/guards.ts';
import type { Answer, Ask } from '../service/answer.ts';
import { jsonAnswer, textAnswer } from '../service/answer.ts';
import type { ServiceDefinition } from '../service/start-service.ts';
import { shownPeople } from '../wallets/shown-people.ts';
import { Impossible } from '../world/state.ts';
import { asOwnAnswer } from './product-answer.ts';
import { callProduct } from './product-call.ts';
import type { BehindWallet } from './wallet-orders.ts';
import { walletOrders } from './wallet-orders.ts';

/** Requests under this path are for the wallet and never reach the product. */
const walletPrefix = '/.sandbox-wallet/';

/** A proxy that shows the product as a browser with a wallet would. */
export type WalletBrowser = {
  /** Origin of the product; null: not set. */
  target: () => string | null;
  /** Takes any address of the product and uses its origin. Throws Impossible unless it is an http(s) address. */
  setTarget: (address: string) => void;
  service: ServiceDefinition;
};

export function createWalletBrowser(behind: BehindWallet): WalletBrowser {
  const { network } = behind;
  const asset = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
  const style = JSON.stringify(asset('sandbox-wallet.css'));
  const script = asset('sandbox-wallet.js').replace("'SANDBOX_WALLET_STYLE'", () => style);
  let target: URL | null = null;
  const answer = async (ask: Ask, gone: AbortSignal): Promise<Answer> => {
    if (isForeignHost(ask)) return jsonAnswer(403, { message: 'Foreign host' });
    if (ask.path.startsWith(walletPrefix)) return walletAnswer(behind, script, ask);
    if (target === null) return textAnswer(503, 'The address of the product is not set.');
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
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Impossible(`Not a product address: ${address}`);
  return url;
}

/** Answers the wallet's script in the page with `{data}` or `{message}`. */
async function walletAnswer(behind: BehindWallet, script: string, ask: Ask): Promise<Answer> {
  const name = ask.path.slice(walletPrefix.length);
  if (name === 'wallet.js') return textAnswer(200, script, 'text/javascript; charset=utf-8');
  if (name === 'people') return jsonAnswer(200, { data: shownPeople(behind.wallets) });
  const order = Object.hasOwn(walletOrders, name) ? walletOrders[name] : undefined;
  if (!order || ask.method !== 'POST') return jsonAnswer(404, { message: 'The wallet has no such operation' });
  const refusal = refuse(ask);
  if (refusal) return refusal;
  try {
    return jsonAnswer(200, { data: await order(behind, JSON.parse(ask.body.toString('utf8'))) });
  } catch (error) {
    return jsonAnswer(400, { message: (error as Error).message });
  }
}
