import { createHash } from 'node:crypto';
import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { ManifestFile } from '../../apiserver/admission/configuration/manifests/load-manifests.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { tryGo, type GoResult } from '../../adapters/config/read-files.ts';
import { readRegularFile } from '../../adapters/files/bounded-file.ts';

/** The files by name, and a hash of their contents; '' without files. */
export interface FolderState {
  readonly files: readonly ManifestFile[];
  readonly hash: string;
}

const extensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/** Follows apiserver pkg/admission/plugin/manifest/loader.go LoadFiles. */
export function readManifestFolder(folder: string): GoResult<FolderState> {
  const entries = tryGo(() => readdirSync(folder, { withFileTypes: true }));
  if (!entries.ok) {
    return wrong(`failed to read manifest directory ${goQuote(folder)}: open ${folder}: ${entries.error}`);
  }
  const names = entries.value.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const files: ManifestFile[] = [];
  const hash = createHash('sha256');
  for (const name of names.filter((one) => extensions.has(extname(one).toLowerCase())).toSorted()) {
    const path = join(folder, name);
    const text = tryGo(() => readRegularFile(path));
    if (!text.ok) return wrong(`failed to read file ${goQuote(path)}: open ${path}: ${text.error}`);
    if (text.value === '') continue;
    hash.update(text.value).update('\0');
    files.push({ path, text: text.value });
  }
  return { ok: true, value: { files, hash: files.length === 0 ? '' : `sha256:${hash.digest('hex')}` } };
}

const wrong = (error: string): GoResult<never> => ({ ok: false, error });

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
