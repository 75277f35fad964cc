import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText } from '../../../machinery/errors.ts';
import { makeFolder } from '../../../machinery/files/make-folder.ts';
import { prettyUnreadable } from '../../../testing/scenario/report/pretty.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { RunPlan } from '../../../testing/scenario/plan-runs.ts';
import type { Io } from '../terminal/io.ts';
import type { TestOptions } from './test-flags.ts';

/** Prints each result at once, or all as JSON in `finish`. */
export interface DocumentWriter<T> {
  readonly print: (one: T) => void;
  readonly finish: () => void;
}

/** Throws ConfigError when a file cannot be written. */
export function createDocumentWriter<T>(
  textOf: (one: T) => string,
  { options, io, plan }: { readonly options: TestOptions; readonly io: Io; readonly plan: RunPlan },
): DocumentWriter<T> {
  const all: T[] = [];
  const isJson = options.report.some(({ kind, file }) => kind === 'json' && file === '');
  for (const one of plan.unreadable) io.error(prettyUnreadable(one).trimEnd());
  return {
    print: (one) => {
      all.push(one);
      if (!isJson) io.out(`${all.length > 1 ? '\n' : ''}${textOf(one)}`);
    },
    finish: () => {
      for (const { kind, file } of options.report) {
        const text = kind === 'json' ? JSON.stringify(all, null, 2) : all.map(textOf).join('\n\n');
        if (file === '' && kind === 'json') io.out(text);
        if (file === '') continue;
        write(file, `${text}\n`);
      }
    },
  };
}

function write(file: string, text: string): void {
  try {
    makeFolder(dirname(file), 0o777);
    writeFileSync(file, text);
  } catch (error) {
    throw new ConfigError(`--report ${file}: ${errorText(error)}`);
  }
}
