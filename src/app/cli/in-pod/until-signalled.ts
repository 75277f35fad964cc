const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts `stopped` at the first signal that would end this process, and keeps it alive until `settle`. */
export function untilSignalled(): { readonly stopped: AbortSignal; readonly settle: () => void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of ending) process.on(signal, stop);
  return {
    stopped: controller.signal,
    settle: () => {
      for (const signal of ending) process.off(signal, stop);
    },
  };
}
