const nextCheck = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 25));

/** Enough for something that is normally immediate, on a machine that runs everything else too. */
const patientMs = 45_000;

/** The deadline of `until` passed. */
export class NotInTime extends Error {}

/** Checks repeatedly until the condition holds; fails with its sentence when the deadline passes. */
export const until = async (
  sentence: string,
  holds: () => boolean | Promise<boolean>,
  deadlineMs = patientMs,
): Promise<void> => {
  const endsAtMs = Date.now() + deadlineMs;
  while (!(await holds())) {
    if (Date.now() > endsAtMs) throw new NotInTime(`Not within ${deadlineMs} ms: ${sentence}`);
    await nextCheck();
  }
};
