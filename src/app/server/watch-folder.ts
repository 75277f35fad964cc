import { type FSWatcher, watch } from 'node:fs';
import { tryGo } from '../../adapters/config/read-files.ts';

const pollEveryMs = 60_000;

/** A write of a file makes several events. */
const settlesAfterMs = 20;

/**
 * Calls `changed` after events of the folder and once a minute, until `end`.
 * Follows apiserver pkg/util/filesystem/watchuntil.go.
 */
export function watchFolder(folder: string, changed: () => void): { readonly end: () => void } {
  let pending: NodeJS.Timeout | undefined;
  const soon = (): void => {
    pending ??= setTimeout(() => {
      pending = undefined;
      changed();
    }, settlesAfterMs).unref();
  };
  let watcher = openWatcher(folder, soon);
  const poll = setInterval(() => {
    // The folder may have been replaced.
    watcher?.close();
    watcher = openWatcher(folder, soon);
    changed();
  }, pollEveryMs).unref();
  return {
    end: () => {
      watcher?.close();
      clearInterval(poll);
      clearTimeout(pending);
    },
  };
}

/** Without a watcher the poll remains. */
function openWatcher(folder: string, changed: () => void): FSWatcher | undefined {
  const opened = tryGo(() => watch(folder, { persistent: false }, changed).on('error', () => undefined));
  return opened.ok ? opened.value : undefined;
}
