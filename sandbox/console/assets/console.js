// Drives the control interface from the page's forms and keeps the live parts fresh.
const refreshEveryMs = document.body.dataset.liveFrom === undefined ? 2500 : 1000;
const said = document.querySelector('.said');

/** A decimal number as a whole number of base units. */
function toBaseUnits(text, decimals) {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text.trim().replaceAll(',', ''));
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > decimals) throw new Error(`Not an amount with ${decimals} decimals: ${text}`);
  return String(BigInt(match[1] + fraction.padEnd(decimals, '0')));
}

function decimalsFor(form, unit) {
  if (unit === 'sui') return 9;
  return Number(form.querySelector('[name=coinType]').selectedOptions[0].dataset.decimals);
}

/** The chosen speaker presses buttons; the group itself presses as its anonymous admin. */
function presser() {
  return Number(document.querySelector('#speaker').selectedOptions[0].dataset.user);
}

function valueOf(form, field) {
  const { unit, number, boolean, presser: isPresser } = field.dataset;
  if (isPresser !== undefined) return presser();
  if (unit !== undefined) return toBaseUnits(field.value, decimalsFor(form, unit));
  if (number !== undefined) return Number(field.value);
  if (boolean !== undefined) return field.value === 'true';
  return field.value;
}

function bodyOf(form) {
  const fields = [...form.querySelectorAll('[name]')].filter((field) => field.value !== '');
  const options = fields.filter((field) => field.dataset.option !== undefined);
  const others = fields.filter((field) => field.dataset.option === undefined);
  return Object.assign(
    {},
    ...others.map((field) =>
      field.dataset.merge === undefined ? { [field.name]: valueOf(form, field) } : JSON.parse(field.value),
    ),
    options.length > 0 && { options: Object.fromEntries(options.map((field) => [field.name, valueOf(form, field)])) },
  );
}

function say(text, isTrouble) {
  said.textContent = text;
  said.classList.toggle('said-trouble', isTrouble);
  said.classList.add('said-now');
  clearTimeout(say.timer);
  say.timer = setTimeout(() => said.classList.remove('said-now'), isTrouble ? 9000 : 3000);
}

async function order(form) {
  const { command, then } = form.dataset;
  const answer = await fetch(`/control/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(form)),
  });
  const { message, data } = await answer.json();
  if (!answer.ok) throw new Error(message);
  // Messages and presses show in the chat anyway.
  if (form.closest('.phone') === null) say(`Done: ${command}`, false);
  for (const field of form.querySelectorAll('[data-clear]')) field.value = '';
  if (then === 'reload' || command === 'living-market' || command === 'reset') location.reload();
  else if (then !== undefined) location.assign(then.replace('{id}', data?.id));
  else await refresh();
}

/** The last markup given to each live part: `innerHTML` reads back differently. */
const shown = new WeakMap();

function toBottom(place) {
  if (place.dataset.bottom !== undefined) place.scrollTop = place.scrollHeight;
}

/** Identifies a field by its form's command and hidden values, not by its position. */
function keyOf(field) {
  const hidden = [...(field.form?.querySelectorAll('[type=hidden]') ?? [])].map(({ value }) => value);
  return [field.form?.dataset.command, ...hidden, field.name].join(' ');
}

const filledIn = 'select[name], input[name]:not([type=hidden])';

/** Replaces the markup but keeps what a person has filled in. */
function replaceIn(place, markup) {
  const begun = new Map([...place.querySelectorAll(filledIn)].map((field) => [keyOf(field), field.value]));
  place.innerHTML = markup;
  for (const field of place.querySelectorAll(filledIn)) {
    const value = begun.get(keyOf(field));
    const isThere = field.options === undefined || [...field.options].some((option) => option.value === value);
    if (value !== undefined && isThere) field.value = value;
  }
}

async function refresh() {
  const answer = await fetch(document.body.dataset.liveFrom ?? '/live');
  const parts = await answer.json();
  for (const place of document.querySelectorAll('[data-live]')) {
    const markup = parts[place.dataset.live];
    // The server escapes everything that is not its own markup.
    if (markup === undefined || shown.get(place) === markup) continue;
    // Replacing a focused field would close its open list.
    if (place.contains(document.activeElement) && document.activeElement.matches(filledIn)) continue;
    const isAtBottom = place.scrollHeight - place.scrollTop - place.clientHeight < 40;
    replaceIn(place, markup);
    shown.set(place, markup);
    if (isAtBottom) toBottom(place);
  }
  fillInReply();
}

const replyField = document.querySelector('[name=replyToMessageId]');
let lastAsked = null;

/** Fills in the reply field, once, when the newest message asks for a reply. */
function fillInReply() {
  const asked = document.querySelector('.messages > li:last-child [data-asked]')?.dataset.reply;
  if (replyField === null || asked === undefined || asked === lastAsked) return;
  lastAsked = asked;
  replyField.value = asked;
}

document.addEventListener('click', (event) => {
  const reply = event.target.closest('[data-reply]')?.dataset.reply;
  if (reply === undefined || replyField === null) return;
  replyField.value = reply;
  document.querySelector('.speak [name=text]').focus();
});

/** A click on an example command puts it into the message field. */
document.addEventListener('click', (event) => {
  const line = event.target.closest('[data-fill]')?.dataset.fill;
  const field = document.querySelector('.speak [name=text]');
  if (line === undefined || field === null) return;
  field.value = line;
  field.focus();
});

document.addEventListener('submit', (event) => {
  event.preventDefault();
  order(event.target).catch((error) => say(error.message, true));
});

for (const place of document.querySelectorAll('[data-bottom]')) toBottom(place);

setInterval(() => {
  if (!document.hidden) refresh().catch(() => say('The sandbox does not answer', true));
}, refreshEveryMs);
