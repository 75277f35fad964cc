import type { Answer } from './run-acts.ts';

/** After this time without a response a client reports none. */
export const responseTimeoutMs = 15_000;
/** Of a watch only the beginning is read. */
export const watchMs = 30;

export const isWatch = (path: string): boolean => /[?&]watch=|\/watch\//.test(path);

export const unsendable = (error: unknown): Answer => ({ code: 0, text: String(error), fate: 'unsendable' });
