import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
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

/** For a file; a pipe is read only once, at the start. */
export function watchFile(path: string, changed: () => void): { readonly end: () => void } {
  const found = tryGo(() => statSync(path).isFile());
  return found.ok && !found.value ? { end: () => {} } : watchFolder(dirname(path), changed);
}

/** Without a watcher the poll remains. */
function openWatcher(folder: string, changed: () => void): FSWatcher | undefined {
  const opened = tryGo(() => watch(folder, { persistent: false }, changed).on('error', () => undefined));
  return opened.ok ? opened.value : undefined;
}
