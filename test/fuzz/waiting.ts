import type { Answer } from './play.ts';

/** A client that has heard nothing for so long calls it silence. */
export const silenceMs = 15_000;
/** Of a watch it is enough to see how it begins. */
export const watchMs = 30;

export const isWatch = (path: string): boolean => /[?&]watch=|\/watch\//.test(path);

export const unsendable = (error: unknown): Answer => ({ code: 0, text: String(error), fate: 'unsendable' });
