import { type FSWatcher, watch } from 'chokidar';
import { isPathWithin } from '../../../adapters/files/portable-files.ts';

/** Milliseconds: editors write a file in steps. */
const debounceMs = 80;

/** Watches files and folders, without node_modules, .git and the ignored ones. */
export const watchFiles = (paths: readonly string[], ignore: readonly string[]): FSWatcher =>
  watch([...paths], {
    ignoreInitial: true,
    ignored: (path) =>
      ignore.some((one) => isPathWithin(path, one)) || /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/.test(path),
  });

interface ChangeQueue {
  readonly add: (path: string) => void;
  /** Does this when nothing else runs. */
  readonly run: (work: () => Promise<void>) => void;
  readonly close: () => Promise<void>;
}

/** Batches changes; one batch runs at a time. */
export function createChangeQueue(onChanges: (paths: readonly string[]) => Promise<void>): ChangeQueue {
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let busy: Promise<void> = Promise.resolve();
  const run = (work: () => Promise<void>): void => {
    busy = busy.then(work);
  };
  return {
    run,
    add: (path) => {
      waiting.push(path);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const paths = waiting;
        waiting = [];
        run(() => onChanges(paths));
      }, debounceMs);
    },
    close: async () => {
      clearTimeout(timer);
      await busy;
    },
  };
}
