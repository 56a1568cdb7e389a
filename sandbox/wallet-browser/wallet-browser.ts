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

export function createWalletBrowser(behind: BehindWallet): WalletBrowser {
  const { network } = behind;
  const asset = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
  const style = JSON.stringify(asset('sandbox-wallet.css'));
  const script = asset('sandbox-wallet.js').replace("'SANDBOX_WALLET_STYLE'", () => style);
  let target: URL | null = null;
  const answer = async (ask: Ask, gone: AbortSignal): Promise<Answer> => {
    if (isForeignHost(ask)) return jsonAnswer(403, { message: 'Foreign host' });
    if (ask.path.startsWith(walletPrefix)) return walletAnswer(behind, script, ask);
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

/** What the wallet in the page asks of the wallet behind it. Answers `{data}` or `{message}`. */
async function walletAnswer(behind: BehindWallet, script: string, ask: Ask): Promise<Answer> {
  const name = ask.path.slice(walletPrefix.length);
  if (name === 'wallet.js') return textAnswer(200, script, 'text/javascript; charset=utf-8');
  if (name === 'people') return jsonAnswer(200, { data: shownPeople(behind.wallets) });
  const order = Object.hasOwn(walletOrders, name) ? walletOrders[name] : undefined;
  if (!order || ask.method !== 'POST') return jsonAnswer(404, { message: 'The wallet has no such thing' });
  const refusal = refuse(ask);
  if (refusal) return refusal;
  try {
    return jsonAnswer(200, { data: await order(behind, JSON.parse(ask.body.toString('utf8'))) });
  } catch (error) {
    return jsonAnswer(400, { message: (error as Error).message });
  }
}
