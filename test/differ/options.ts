import { parseArgs } from 'node:util';

export interface DifferOptions {
  /** The URL of a kube-apiserver, and a token of a user in system:masters. */
  readonly server: string;
  readonly token: string;
  readonly seed: number;
  readonly seconds: number;
  /** Resources; empty means all. */
  readonly only: readonly string[];
}

export const usage = [
  'usage: npm run differ -- --server URL --token TOKEN [--seed N] [--seconds N] [--only RESOURCE]...',
  '',
  '  --server URL     a kube-apiserver without controllers that may be written to (KUBE_APISERVER)',
  '  --token TOKEN    of a user in system:masters there (KUBE_TOKEN)',
  '  --seed N         the same seed, the same requests (1)',
  '  --seconds N      how long (60); the list of plain requests always comes first',
  '  --only RESOURCE  only these, like pods or jobs; repeatable',
].join('\n');

/** Throws for invalid arguments. */
export function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): DifferOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      server: { type: 'string', default: env['KUBE_APISERVER'] ?? '' },
      token: { type: 'string', default: env['KUBE_TOKEN'] ?? '' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '60' },
      only: { type: 'string', multiple: true, default: [] },
    },
  });
  const { server, token, only } = values;
  if (server === '' || token === '') throw new Error('no --server and --token, nor KUBE_APISERVER and KUBE_TOKEN');
  return { server, token, only, seed: wholeNumber(values.seed), seconds: wholeNumber(values.seconds) };
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${text} is no whole number`);
  return Number(text);
}
