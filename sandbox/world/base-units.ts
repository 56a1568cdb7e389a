/** Base units as a decimal number without trailing zeros. */
export function decimalOf(baseUnits: bigint, decimals: number): string {
  const digits = String(baseUnits).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return fraction ? `${whole}.${fraction}` : whole;
}
