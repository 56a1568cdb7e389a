/** Base units as a decimal number without trailing zeros. */
function decimalOf(baseUnits: bigint, decimals: number): string {
  const digits = String(baseUnits).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return fraction ? `${whole}.${fraction}` : whole;
}

/** At a glance: four decimals, all of them below one. */
export function glanceOf(baseUnits: bigint, decimals: number): string {
  const text = decimalOf(baseUnits, decimals);
  return text.startsWith('0.') ? text : text.replace(/(\.\d{4})\d+$/, '$1');
}

/** MIST as SUI; a dash for nothing. */
export function suiOf(mist: bigint | null): string {
  return mist === null ? '–' : `${decimalOf(mist, 9)} SUI`;
}

export function shortAddress(address: string | null): string {
  return address === null ? '–' : `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** `0x1234…abcd::module::Name`, the types inside a generic one too. */
export function shortType(type: string): string {
  return type.replace(/0x[0-9a-f]{64}/g, shortAddress);
}

/** Time of day in UTC, with the date when it is not today. */
export function clockOf(atMs: number, nowMs: number): string {
  const text = new Date(atMs).toISOString();
  const sameDay = text.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10);
  return sameDay ? text.slice(11, 19) : `${text.slice(5, 10)} ${text.slice(11, 16)}`;
}
