import type { PlaygroundTexts } from '../../app/playground/protocol.ts';
import { toTexts } from './fragment.ts';

/** The state that the next visit begins with. */
export interface StoredState {
  readonly texts: PlaygroundTexts;
  /** Whether the reader wrote the functions or let them run. */
  readonly runFunctions: boolean;
}

const key = 'kadmit-playground';

/** undefined without storage, or for what another version stored. */
export function storedState(): StoredState | undefined {
  try {
    const stored = localStorage.getItem(key);
    const texts = stored === null ? undefined : toTexts(stored.slice(1));
    return stored === null || texts === undefined ? undefined : { texts, runFunctions: stored.startsWith('+') };
  } catch {
    return undefined;
  }
}

export function storeState({ texts, runFunctions }: StoredState): void {
  try {
    localStorage.setItem(key, `${runFunctions ? '+' : '-'}${JSON.stringify(texts)}`);
  } catch {
    // The state lasts until the page is closed.
  }
}
