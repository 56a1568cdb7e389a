/** PostgreSQL's manual, Appendix A: two transactions waited for each other, and this one was ended. */
const deadlockState = '40P01';

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === deadlockState) || (error.cause !== undefined && isDeadlock(error.cause)));

/** Runs a whole transaction once more after a deadlock: the other one is through by then. Throws what the second run throws. */
export async function onceMore<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!isDeadlock(error)) throw error;
    return transaction();
  }
}
