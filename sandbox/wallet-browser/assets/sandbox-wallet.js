// Acts like a wallet extension in every page: offers a wallet through the Wallet Standard and asks the person in its own dialogs.
(() => {
  const { network } = document.currentScript.dataset;
  const home = '/.sandbox-wallet';
  const chains = [`sui:${network}`];
  const keptAs = 'sandbox-wallet';
  const listeners = new Set();
  let accounts = keptAccounts();

  function accountOf({ name, address, publicKey }) {
    return Object.freeze({
      address,
      publicKey: Uint8Array.from(atob(publicKey), (each) => each.charCodeAt(0)),
      chains,
      features: ['sui:signPersonalMessage', 'sui:signTransaction', 'sui:signAndExecuteTransaction'],
      label: name,
    });
  }

  function keptAccounts() {
    const kept = localStorage.getItem(keptAs);
    return kept === null ? [] : [accountOf(JSON.parse(kept))];
  }

  /** null: disconnects. */
  function setPerson(person) {
    if (person === null) localStorage.removeItem(keptAs);
    else localStorage.setItem(keptAs, JSON.stringify(person));
    accounts = person === null ? [] : [accountOf(person)];
    showBadge();
    for (const listener of listeners) listener({ accounts });
  }

  const rejection = () => Object.assign(new Error('User rejected the request'), { code: 4001 });

  async function ask(path, body) {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`${home}/${path}`, body === undefined ? {} : sent);
    const { data, message } = await answer.json();
    if (!answer.ok) throw new Error(message);
    return data;
  }

  // The dialogs -------------------------------------------------------------------------------------------------------

  const style = new CSSStyleSheet();
  // The server replaces this with the style sheet next to this file.
  style.replaceSync('SANDBOX_WALLET_STYLE');

  function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  let shadow = null;
  function ground() {
    if (shadow === null) {
      const host = element('sandbox-wallet');
      shadow = host.attachShadow({ mode: 'open' });
      shadow.adoptedStyleSheets = [style];
      document.documentElement.append(host);
    }
    return shadow;
  }

  /** Resolves with the value of the pressed button; rejects when the dialog is closed. `choices`: [value, button]. */
  function decide(title, content, choices) {
    return new Promise((resolve, reject) => {
      const heading = element('h2', { id: 'title', textContent: title });
      const dialog = element('dialog', {}, heading, ...content);
      dialog.setAttribute('aria-labelledby', 'title');
      for (const [value, button] of choices) {
        button.addEventListener('click', () => {
          resolve(value);
          dialog.close();
        });
      }
      dialog.addEventListener('close', () => {
        reject(rejection());
        dialog.remove();
      });
      ground().append(dialog);
      dialog.showModal();
    });
  }

  const named = (name, className = '') => element('button', { type: 'button', textContent: name, className });
  const row = (...buttons) => element('div', { className: 'row' }, ...buttons);

  const shortOf = (address) => `${address.slice(0, 6)}…${address.slice(-4)}`;

  async function choosePerson() {
    const people = await ask('people');
    const choices = people.map((person, index) => {
      const details = element('small', {
        id: `person-${index}`,
        textContent: `${person.scheme} · ${shortOf(person.address)}`,
      });
      const story = element('small', { textContent: `Began with ${person.story}` });
      const button = element('button', { type: 'button', ariaLabel: person.name }, person.name, details, story);
      button.setAttribute('aria-describedby', details.id);
      return [person, button];
    });
    const cancel = named('Cancel');
    const list = element('ul', {}, ...choices.map(([, button]) => element('li', {}, button)));
    const words = element('p', { textContent: `${location.host} wants to connect. Which account?` });
    const chosen = await decide('Connect Sandbox Wallet', [words, list, row(cancel)], [...choices, [null, cancel]]);
    if (chosen === null) throw rejection();
    return chosen;
  }

  function textOf(bytes) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return `(not text) ${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    }
  }

  /** Rejects unless the person agrees. `yes` and `no` are the button labels. */
  async function agree(title, content, [yes, no]) {
    const [agreed, refused] = [named(yes, 'main'), named(no)];
    const choices = [
      [true, agreed],
      [false, refused],
    ];
    if (!(await decide(title, [...content, row(agreed, refused)], choices))) throw rejection();
  }

  async function approve(account, message) {
    const words = element('p', { textContent: `${location.host} asks ${account.label} (${account.address}) to sign:` });
    const text = element('pre', { textContent: textOf(message), tabIndex: 0 });
    await agree('Sign this message?', [words, text], ['Sign', 'Reject']);
  }

  /** Shows what a transaction does; `verb` is the label of the button that agrees. */
  async function approveTransaction(account, { sentences, payments }, verb) {
    const words = element('p', {
      textContent: `${location.host} asks ${account.label} (${account.address}) to agree to:`,
    });
    const told = sentences.map((sentence) => element('p', { textContent: sentence }));
    const all = payments.length < 2 ? [] : [element('pre', { textContent: payments.join('\n'), tabIndex: 0 })];
    await agree('Sign this transaction?', [words, ...told, ...all], [verb, 'Refuse']);
  }

  /** Asks the person and returns the complete bytes and the signature of the account that the page chose. */
  async function signed({ transaction, account, chain, signal }, verb) {
    signal?.throwIfAborted();
    const own = accounts.find(({ address }) => address === account.address);
    if (own === undefined) throw new Error('This account is not connected');
    if (!chains.includes(chain)) throw new Error(`The Sandbox Wallet does not support the chain ${chain}`);
    const read = await ask('read-transaction', { address: own.address, transaction: await transaction.toJSON() });
    await approveTransaction(own, read, verb);
    signal?.throwIfAborted();
    return ask('sign-transaction', { address: own.address, bytes: read.bytes });
  }

  // The wallet's own button, like an extension's in the browser toolbar ------------------------------------------------

  let badge = null;
  function showBadge() {
    badge?.remove();
    badge = null;
    const [account] = accounts;
    if (account === undefined) return;
    badge = named(`Sandbox Wallet: ${account.label}`, 'badge');
    badge.addEventListener('click', () => void manage(account).catch(() => {}));
    ground().append(badge);
  }

  async function manage(account) {
    const [another, disconnect, close] = [named('Another account', 'main'), named('Disconnect'), named('Close')];
    const words = element('p', { textContent: `${account.label}, ${account.address}` });
    const choice = await decide(
      'Sandbox Wallet',
      [words, row(another, disconnect, close)],
      [
        ['another', another],
        ['disconnect', disconnect],
        ['close', close],
      ],
    );
    if (choice === 'another') setPerson(await choosePerson());
    if (choice === 'disconnect') setPerson(null);
  }

  // The Wallet Standard ------------------------------------------------------------------------------------------------

  const features = {
    'standard:connect': {
      version: '1.0.0',
      connect: async ({ silent = false } = {}) => {
        if (!silent) setPerson(await choosePerson());
        return { accounts };
      },
    },
    'standard:disconnect': { version: '1.0.0', disconnect: async () => setPerson(null) },
    'standard:events': {
      version: '1.0.0',
      on: (event, listener) => {
        if (event !== 'change') return () => {};
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    'sui:signPersonalMessage': {
      version: '1.1.0',
      signPersonalMessage: async ({ account, message }) => {
        const own = accounts.find(({ address }) => address === account.address);
        if (own === undefined) throw new Error('This account is not connected');
        await approve(own, message);
        return ask('sign', { address: own.address, message: btoa(String.fromCodePoint(...message)) });
      },
    },
    'sui:signTransaction': {
      version: '2.0.0',
      signTransaction: (input) => signed(input, 'Sign'),
    },
    'sui:signAndExecuteTransaction': {
      version: '2.0.0',
      signAndExecuteTransaction: async (input) => {
        const { bytes, signature } = await signed(input, 'Sign and send');
        return { bytes, signature, ...(await ask('execute', { bytes, signature })) };
      },
    },
  };

  const wallet = Object.freeze({
    version: '1.0.0',
    name: 'Sandbox Wallet',
    icon: `data:image/svg+xml;base64,${btoa(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#f5a524" d="M6 8 22 4l6 10-4 13-15 1-6-11z"/></svg>',
    )}`,
    chains,
    features,
    get accounts() {
      return accounts;
    },
  });
  const offer = ({ register }) => register(wallet);
  window.addEventListener('wallet-standard:app-ready', (event) => offer(event.detail));
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: offer }));
  document.addEventListener('DOMContentLoaded', showBadge);
})();
