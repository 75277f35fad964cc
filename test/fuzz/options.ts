import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface FuzzOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Empty: all of them. */
  readonly targets: readonly string[];
  /** Plays only this case, after `before` earlier ones. */
  readonly onlyCase: number | undefined;
  readonly before: number;
  readonly program: string;
}

export const usage = [
  'usage: npm run fuzz -- [--seconds N] [--seed N] [--target NAME]... [--case N [--before N]]',
  '',
  '  --seconds N    how long, over all targets (60); making smaller what was found comes on top',
  '  --seed N       the same seed, the same cases; drawn and printed when it is left out',
  '  --target NAME  only this one; repeatable',
  '  --case N       only this case of the one target, and with --before as many of those before it',
].join('\n');

/** Throws for invalid arguments. */
export function readOptions(args: readonly string[]): FuzzOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      target: { type: 'string', multiple: true, default: [] },
      case: { type: 'string' },
      before: { type: 'string', default: '0' },
      program: { type: 'string', default: 'dist/main.js' },
    },
  });
  return {
    seconds: wholeNumber('seconds', values.seconds),
    seed: wholeNumber('seed', values.seed),
    targets: values.target,
    onlyCase: values.case === undefined ? undefined : wholeNumber('case', values.case),
    before: wholeNumber('before', values.before),
    program: resolve(values.program),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} ${text} is no whole number`);
  return Number(text);
}
