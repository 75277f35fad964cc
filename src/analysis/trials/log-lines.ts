import { unpackedText } from '../../adapters/config/unpacked-stream.ts';
import { loggedRequest } from './logged-request.ts';
import type { LeftOut, LoggedRequest } from './logged-request.ts';
import type { Numbered } from './replay-log.ts';

/** Longer lines are not events: kube-apiserver accepts bodies of 3 MiB. */
const longestLine = 16 * 1024 * 1024;

/** Streams the requests of an audit log (JSON lines, perhaps gzipped). Rejects when it cannot be read. */
export async function* logRequests(file: string): AsyncGenerator<LoggedRequest | LeftOut> {
  for await (const { one } of laneRequests(file, { index: 0, of: 1 })) yield one;
}

/** A share of a log's lines. */
export interface Lane {
  readonly index: number;
  readonly of: number;
}

/** Consecutive lines in one lane. */
const stretch = 256;

/** The requests of one lane with their line numbers. */
export async function* laneRequests(file: string, { index, of }: Lane): AsyncGenerator<Numbered> {
  let at = 0;
  for await (const line of linesOf(file)) {
    if (line === '') continue;
    if (Math.floor(at / stretch) % of === index) yield { at, one: loggedRequest(parsed(line)) };
    at += 1;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of unpackedText(file)) {
    const [first = '', ...others] = piece.split('\n');
    rest += first;
    if (rest.length > longestLine) rest = '?';
    if (others.length === 0) continue;
    yield rest;
    yield* others.slice(0, -1);
    rest = others.at(-1) ?? '';
  }
  if (rest !== '') yield rest;
}
