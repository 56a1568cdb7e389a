const nextLook = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 25));

/** Looks again and again until the condition holds; fails with its sentence when the deadline passes. */
export const until = async (
  sentence: string,
  holds: () => boolean | Promise<boolean>,
  deadlineMs = 20_000,
): Promise<void> => {
  const endsAtMs = Date.now() + deadlineMs;
  while (!(await holds())) {
    if (Date.now() > endsAtMs) throw new Error(`Not within ${deadlineMs} ms: ${sentence}`);
    await nextLook();
  }
};
