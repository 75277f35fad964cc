const patience = 900;

/**
 * Waits for Ctrl-C (or SIGTERM), then closes. What is not closed after 0.9 s, or when the second Ctrl-C comes, is
 * cut off with the process.
 */
export async function untilInterrupted(close: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  const leave = (): never => process.exit(0);
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  setTimeout(leave, patience).unref();
  await close();
}
