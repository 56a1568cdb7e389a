// Drives the control interface from the page's forms and keeps the live parts fresh.
const refreshEveryMs = 2500;
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

function valueOf(form, field) {
  const { unit, number, boolean } = field.dataset;
  if (unit !== undefined) return toBaseUnits(field.value, decimalsFor(form, unit));
  if (number !== undefined) return Number(field.value);
  if (boolean !== undefined) return field.value === 'true';
  return field.value;
}

function bodyOf(form) {
  const fields = [...form.querySelectorAll('[name]')].filter((field) => field.value !== '');
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(form, field)]));
}

function say(text, isTrouble) {
  said.textContent = text;
  said.classList.toggle('said-trouble', isTrouble);
  said.classList.add('said-now');
  clearTimeout(say.timer);
  say.timer = setTimeout(() => said.classList.remove('said-now'), isTrouble ? 9000 : 3000);
}

async function order(form) {
  const { command } = form.dataset;
  const answer = await fetch(`/control/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(form)),
  });
  const { message } = await answer.json();
  if (!answer.ok) throw new Error(message);
  say(`Done: ${command}`, false);
  if (command === 'living-market' || command === 'reset') location.reload();
  else await refresh();
}

async function refresh() {
  const answer = await fetch('/live');
  const parts = await answer.json();
  for (const place of document.querySelectorAll('[data-live]')) {
    const markup = parts[place.dataset.live];
    // The server escapes everything that is not its own markup.
    if (markup !== undefined && place.innerHTML !== markup) place.innerHTML = markup;
  }
}

document.addEventListener('submit', (event) => {
  event.preventDefault();
  order(event.target).catch((error) => say(error.message, true));
});

setInterval(() => {
  if (!document.hidden) refresh().catch(() => say('The sandbox does not answer', true));
}, refreshEveryMs);
