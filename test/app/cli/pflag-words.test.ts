import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseFlags } from '../../../src/adapters/config/flags/flags.ts';
import { asPflag } from '../../../src/app/cli/serve/pflag-words.ts';
import { serveFlags } from '../../../src/adapters/config/flags/serve/serve-options.ts';

interface Start {
  readonly flags: readonly string[];
  readonly stderrLastLine?: string;
}
const starts: readonly Start[] = JSON.parse(readFileSync('test/facts/startup-errors.json', 'utf8'));

// Source: kube-apiserver v1.36.2, started with these flags.
test.each(starts.filter(({ stderrLastLine }) => stderrLastLine?.startsWith('Error: ')))(
  '$flags: $stderrLastLine',
  ({ flags, stderrLastLine }) => {
    const parsed = parseFlags(serveFlags, flags);
    expect(parsed.outcome === 'usage' && `Error: ${asPflag(parsed.problem)[1]}`).toBe(stderrLastLine);
  },
);

test('the hint is separate from the message', () => {
  expect(asPflag('unknown flag --certdir; did you mean --cert-dir?')).toEqual([
    'did you mean --cert-dir?',
    'unknown flag: --certdir',
  ]);
});

test('a flag of kadmit alone has words of its own', () => {
  expect(asPflag('--ui-port "x" is not a port')).toEqual([undefined, undefined]);
});
