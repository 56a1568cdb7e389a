import type { ChainControl } from '../transactions/chain-control.ts';
import type { PendingTransaction } from '../wallets/pending-transaction.ts';
import type { WalletControl } from '../wallets/wallets.ts';
import { Impossible } from '../world/state.ts';
import { order } from './discord-people.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

export type PendingView = { wallets: WalletControl; chain: ChainControl; pendingTransaction: PendingTransaction };

/** A transaction pasted as base64: what it does, who signs it, and how it is sent. */
export function pendingSection(view: PendingView): Html {
  return html`<section class="slab pending" aria-labelledby="pending">
    <h2 id="pending">A transaction to sign</h2>
    <form data-command="wallets/paste-transaction">
      <label
        >Its bytes, base64
        <textarea name="bytes" rows="4" required spellcheck="false" data-clear></textarea>
      </label>
      <button>See what it does</button>
    </form>
    <div data-live="pending">${pendingState(view)}</div>
  </section>`;
}

/** The live part. */
export function pendingState({ wallets, chain, pendingTransaction }: PendingView): Html {
  const current = pendingTransaction.current();
  if (!current) return html`<p class="quiet">Nothing has been pasted.</p>`;
  const { bytes, sender, signatures, digest } = current;
  if (digest !== null) return html`<p>Executed: <span class="address">${digest}</span></p>`;
  const nameOf = (address: string) => wallets.people().find((each) => each.address === address)?.name ?? null;
  const told = tell(chain, bytes, nameOf);
  return html`${told.sentences.map((sentence) => html`<p>${sentence}</p>`)}
    ${
      told.payments.length > 1 &&
      html`<details>
        <summary>Every payment</summary>
        <pre tabindex="0">${told.payments.join('\n')}</pre>
      </details>`
    }
    <form data-command="wallets/sign-pasted">
      <label
        >Sign as
        <select name="person">
          ${signersFirst(wallets, sender).map(({ name }) => html`<option>${name}</option>`)}
        </select></label
      >
      <button>Sign</button>
    </form>
    ${signatures.map(({ name, signature }) => signatureField(`Signature of ${name}`, signature))}
    ${sendPart(pendingTransaction, signatures.length)}`;
}

type Told = { sentences: string[]; payments: string[] };

/** The world may have been reset since it was pasted. */
function tell(chain: ChainControl, bytes: string, nameOf: (address: string) => string | null): Told {
  try {
    return chain.tell(new Uint8Array(Buffer.from(bytes, 'base64')), nameOf);
  } catch (error) {
    if (error instanceof Impossible) return { sentences: [error.message], payments: [] };
    throw error;
  }
}

/** The sender comes first. */
function signersFirst(wallets: WalletControl, sender: string) {
  return wallets.people().toSorted((one, other) => Number(other.address === sender) - Number(one.address === sender));
}

function sendPart(pendingTransaction: PendingTransaction, count: number): Html | null {
  const combined = pendingTransaction.combined();
  if (combined === null) {
    return count === 0 ? null : html`<p class="quiet">More signatures are needed before it can be sent.</p>`;
  }
  return html`${count > 1 && signatureField('Signature of the sender', combined)}
  ${order('wallets/execute-pasted', {}, 'Execute')}`;
}

function signatureField(label: string, signature: string): Html {
  return html`<label>${label} <textarea readonly rows="2" spellcheck="false">${signature}</textarea></label>`;
}
