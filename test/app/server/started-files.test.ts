import { expect, test } from 'vitest';
import { openTracingConfiguration } from '../../../src/app/server/tracing-configuration.ts';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { splitUpstreamFlags } from '../../../src/app/cli/serve/pflag.ts';
import { readUpstreamOptions, type UpstreamOptions } from '../../../src/adapters/config/upstream/options.ts';
import { StartFailure } from '../../../src/adapters/config/config-error.ts';

/** A start of kube-apiserver v1.36.2 with files in `$DIR`. Without `stderrLastLine` it started. */
interface FileStart {
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly stderrLastLine?: string;
}

const all: readonly FileStart[] = JSON.parse(readFileSync('test/facts/startup-files.json', 'utf8'));

/** The cases whose first flag is this one. */
const startsWith = (flag: string): readonly FileStart[] =>
  all.filter(({ flags }) => flags[0]?.startsWith(`--${flag}=`));

/** The error line of reading the files of these flags; undefined for none. */
async function endingOf(
  { flags, files }: FileStart,
  open: (upstream: UpstreamOptions) => Promise<unknown>,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-start-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { given } = splitUpstreamFlags(flags.map((flag) => flag.replaceAll('$DIR', folder)));
    await open(readUpstreamOptions(given));
    return undefined;
  } catch (error) {
    if (error instanceof StartFailure) return error.message.replaceAll(folder, '$DIR');
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Source: kube-apiserver v1.36.2, started with these files.
test.each(startsWith('tracing-config-file'))('$flags $files', async (start) => {
  const ending = await endingOf(start, async ({ given }) =>
    openTracingConfiguration(given.get('tracing-config-file')?.at(-1) ?? ''),
  );
  expect(ending).toBe(start.stderrLastLine);
});
