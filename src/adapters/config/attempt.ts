import { errorText } from '../../machinery/error-text.ts';
import { goReasons } from './flag-file.ts';

/** The result, or the system's error in Go's words: `no such file or directory`. */
export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

export function attempt<T>(act: () => T): Attempt<T> {
  try {
    return { ok: true, value: act() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { ok: false, error: goReasons.get(code) ?? errorText(error) };
  }
}
