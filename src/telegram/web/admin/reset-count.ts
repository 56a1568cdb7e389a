/** Specification 5: numeric, minimum 0. What a number input gives for anything that is no number is an empty text. */
export function countToSend(text: string): number {
  const count = Number(text.trim());
  return Number.isFinite(count) ? count : 0;
}

/** What keeps a count from being sent, in the words of specification 5; null: nothing. */
export function countProblem(count: number): string | null {
  if (count < 0) return 'Number must be greater than or equal to 0';
  return Number.isInteger(count) ? null : 'The count must be a whole number.';
}
