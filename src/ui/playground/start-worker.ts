/** Loads the core, in a worker. */
export const startWorker = (): Worker =>
  new Worker(new URL('../../app/playground/worker.ts', import.meta.url), { type: 'module' });
