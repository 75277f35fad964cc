import { readHead, readStatusLine } from './answer-head.ts';
import type { AnswerHead } from './answer-head.ts';
import { collectBytes } from './collect-bytes.ts';
import type { ByteCollector } from './collect-bytes.ts';

/** Where reading a head stands: `rest` came behind it. */
export type HeadState = 'more' | { readonly head: AnswerHead; readonly rest: Buffer } | { readonly error: string };

export interface HeadReader {
  readonly read: (piece: Buffer) => HeadState;
  /** Has a part of a head come? */
  readonly hasBegun: () => boolean;
}

/** A head that has not come whole. */
interface BegunHead {
  readonly collected: ByteCollector;
  /** So many of its bytes hold no empty line. */
  searched: number;
  isStatusRead: boolean;
}

/** Ours: Go gives up after ten megabytes. */
export const longestHead = 256 * 1024;

/** A head that has come whole: its bytes, perhaps others behind them, and where it ends. */
interface WholeHead {
  readonly bytes: Buffer;
  readonly end: HeadEnd;
}

/** Reads up to the head of the answer itself, past what announces it. Follows Go's net/http transport.go readResponse. */
export function headReader(): HeadReader {
  let begun: BegunHead | undefined;
  /** Bytes of heads that announced the answer: all of them together have the bound of one. */
  let announced = 0;
  const look = (bytes: Buffer): 'more' | { readonly error: string } | WholeHead => {
    const end = begun ? undefined : endOfHead(bytes, 0);
    if (end) return { bytes, end };
    begun ??= { collected: collectBytes(longestHead), searched: 0, isStatusRead: false };
    return readOn(begun, bytes);
  };
  const read = (piece: Buffer): HeadState => {
    for (let left = piece; ;) {
      const state = look(left);
      if (state === 'more' || 'error' in state) return state;
      begun = undefined;
      const { bytes, end } = state;
      const head = readHead(bytes.toString('latin1', 0, end.at).split('\n').map(withoutReturn));
      if (typeof head === 'string') return { error: head };
      left = bytes.subarray(end.at + end.length);
      // 100 to 199 only announce the answer, but for a change of protocols.
      if (head.code >= 200 || head.code === 101) return { head, rest: left };
      announced += end.at + end.length;
      if (announced > longestHead) return { error: tooLong };
      if (left.length === 0) return 'more';
    }
  };
  return { read, hasBegun: () => begun !== undefined };
}

function readOn(started: BegunHead, piece: Buffer): 'more' | { readonly error: string } | WholeHead {
  if (!started.collected.add(piece)) return { error: tooLong };
  const { buffer, byteOffset, length } = started.collected.bytes();
  const bytes = Buffer.from(buffer, byteOffset, length);
  const end = endOfHead(bytes, Math.max(0, started.searched - 2));
  started.searched = length;
  return end ? { bytes, end } : lookAtStatus(started, bytes);
}

const tooLong = `net/http: server response headers exceeded ${longestHead} bytes; aborted`;

/** What is no answer is known by its first line. */
function lookAtStatus(started: BegunHead, bytes: Buffer): 'more' | { readonly error: string } {
  const end = started.isStatusRead ? -1 : bytes.indexOf('\n');
  if (end < 0) return 'more';
  started.isStatusRead = true;
  const status = readStatusLine(withoutReturn(bytes.toString('latin1', 0, end)));
  return typeof status === 'string' ? { error: status } : 'more';
}

interface HeadEnd {
  readonly at: number;
  readonly length: number;
}

/** The empty line; Go takes a line feed alone for the end of a line. */
function endOfHead(bytes: Buffer, from: number): HeadEnd | undefined {
  const usual = bytes.indexOf('\n\r\n', from);
  const short = bytes.subarray(0, usual < 0 ? bytes.length : usual).indexOf('\n\n', from);
  if (short >= 0) return { at: short, length: 2 };
  return usual < 0 ? undefined : { at: usual, length: 3 };
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
