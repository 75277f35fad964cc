import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { loggedRequest } from './logged-request.ts';
import type { LeftOut, LoggedRequest } from './logged-request.ts';
import type { Numbered } from './replay-log.ts';

/** A longer line is no event: kube-apiserver takes bodies of 3 MiB. */
const longestLine = 16 * 1024 * 1024;

/** The requests of an audit log, JSON lines, perhaps gzipped; it is read as it is needed. Rejects when it cannot be read. */
export async function* logRequests(file: string): AsyncGenerator<LoggedRequest | LeftOut> {
  for await (const { one } of laneRequests(file, { index: 0, of: 1 })) yield one;
}

/** One of several parts into which a log is dealt out. */
export interface Lane {
  readonly index: number;
  readonly of: number;
}

/** So many lines in a row belong to one lane. */
const stretch = 256;

/** The requests of one lane, each with the number of its line. */
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
  const raw = createReadStream(file);
  const source = (await isGzipped(file)) ? unzipped(raw) : raw;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of source) {
    const [first = '', ...others] = decoder.decode(chunk as Uint8Array, { stream: true }).split('\n');
    rest += first;
    if (rest.length > longestLine) rest = '?';
    if (others.length === 0) continue;
    yield rest;
    yield* others.slice(0, -1);
    rest = others.at(-1) ?? '';
  }
  if (rest !== '') yield rest;
}

/** What cannot be read ends the reading, not the process: a pipe does not hand errors on. */
function unzipped(raw: Readable): Readable {
  const unzip = createGunzip();
  raw.on('error', (error) => unzip.destroy(error));
  return raw.pipe(unzip);
}

async function isGzipped(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
