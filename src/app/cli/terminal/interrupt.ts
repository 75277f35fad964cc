const patience = 900;

/**
 * Waits for Ctrl-C (or SIGTERM), then closes. When that takes longer than 0.9 s and the delay it was asked for, or a
 * second Ctrl-C comes, the process ends with whatever is still open.
 */
export async function untilInterrupted(close: () => Promise<void>, delayMs = 0): Promise<void> {
  await interrupted();
  const leave = (): never => process.exit(0);
  process.once('SIGINT', leave);
  const late = setTimeout(leave, patience + delayMs);
  await close();
  clearTimeout(late);
  process.off('SIGINT', leave);
}

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
