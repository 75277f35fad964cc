import { appendFileSync, closeSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { errorText } from '../../machinery/errors.ts';

/** Drops what cannot be written, and reports the first error since the last success. */
export interface LineWriter {
  readonly write: (line: string) => void;
  /** Resolves when all lines are written or dropped. */
  readonly close: () => Promise<void>;
}

type OnError = (text: string) => void;

/** Bytes kept in memory for a reader that is stuck. */
const maxPendingBytes = 64 * 1024 * 1024;

/** Writes lines to a stream such as standard output and leaves it open. */
export function openLineStream(stream: Writable, onError: OnError): LineWriter {
  const report = createReporter(onError);
  // The callback receives the error too; an "error" event without a listener would end the process.
  stream.on('error', () => {});
  return {
    write: (line) => {
      if (stream.writableLength > maxPendingBytes) return report('too much waits to be written');
      stream.write(`${line}\n`, (error) => report(error?.message));
    },
    close: () => new Promise((resolve) => stream.write('', () => resolve())),
  };
}

/** Appends lines to a file that only its owner may read. Throws when it cannot be opened. */
export function openLineFile(path: string, onError: OnError): LineWriter {
  const report = createReporter(onError);
  const descriptor = openSync(path, 'a', 0o600);
  return {
    write: (line) => {
      try {
        appendFileSync(descriptor, `${line}\n`);
        report(undefined);
      } catch (error) {
        report(errorText(error));
      }
    },
    close: async () => closeSync(descriptor),
  };
}

/** undefined: a line was written. */
function createReporter(onError: OnError): (error: string | undefined) => void {
  let hasFailed = false;
  return (error) => {
    if (error !== undefined && !hasFailed) onError(error);
    hasFailed = error !== undefined;
  };
}
