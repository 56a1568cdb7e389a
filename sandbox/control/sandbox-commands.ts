import { z } from 'zod';
import type { DiscordControl } from '../discord/discord-control.ts';
import { faultKinds, lies } from '../faults/fault-board.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { LivingMarket } from '../living-market/living-market.ts';
import type { RequestLog } from '../service/request-log.ts';
import type { TelegramControl } from '../telegram/telegram-control.ts';
import type { ChainControl } from '../transactions/chain-control.ts';
import type { WalletBrowser } from '../wallet-browser/wallet-browser.ts';
import type { PendingTransaction } from '../wallets/pending-transaction.ts';
import type { WalletControl } from '../wallets/wallets.ts';
import { Impossible } from '../world/state.ts';

/** What the control interface drives besides the world. */
export type Machinery = {
  faults: FaultBoard;
  requests: RequestLog;
  livingMarket: LivingMarket;
  telegram: TelegramControl;
  discord: DiscordControl;
  wallets: WalletControl;
  chain: ChainControl;
  pendingTransaction: PendingTransaction;
  walletBrowser: WalletBrowser;
};
export type MachineryCommand = (machinery: Machinery, body: unknown) => unknown;

const service = z.string().min(1).max(40);
const milliseconds = z.int().min(0).max(600_000);

const faultOrder = z.strictObject({
  service,
  kind: z.enum(faultKinds),
  operation: z.string().max(100).optional(),
  times: z.int().min(1).max(1_000_000).optional(),
  retryAfterSeconds: z.int().min(0).max(86_400).optional(),
  delayMs: milliseconds.optional(),
  about: z.enum(lies).optional(),
});

function known(faults: FaultBoard, name: string): string {
  if (!faults.services().includes(name)) {
    throw new Impossible(`No such service: ${name}. Known services: ${faults.services().join(', ')}`);
  }
  return name;
}

/** `POST /control/<name>` for faults, delays, the request log and the living market. */
export const machineryCommands: Readonly<Record<string, MachineryCommand>> = {
  faults: async ({ faults }, body) => {
    const { service: name, kind, ...rest } = faultOrder.parse(body);
    const settings = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    await faults.set(known(faults, name), { kind, ...settings });
    return faults.of(name);
  },
  'faults/clear': async ({ faults }, body) => {
    const { service: name } = z.strictObject({ service: service.optional() }).parse(body);
    await faults.clear(name === undefined ? undefined : known(faults, name));
    return null;
  },
  latency: ({ faults }, body) => {
    const wanted = z.strictObject({ service, latencyMs: milliseconds }).parse(body);
    faults.setLatency(known(faults, wanted.service), wanted.latencyMs);
    return null;
  },
  'requests/reset': ({ requests }) => requests.reset(),
  'living-market': ({ livingMarket }, body) => {
    const { running } = z.strictObject({ running: z.boolean() }).parse(body);
    if (running) livingMarket.start();
    else livingMarket.stop();
    return { running: livingMarket.isRunning() };
  },
  'living-market/tick': ({ livingMarket }) => livingMarket.tick(),
};
