import { readFields } from './answer-head.ts';
import type { BodyReader } from './body-reader.ts';
import { collectBytes } from './collect-bytes.ts';
import type { ByteCollector } from './collect-bytes.ts';
import { longestAnswer, tooLong } from './wire.ts';

const longestLine = 4096;
const mostExcess = 16 * 1024;

/** How far the chunks of a body have been read. */
interface Chunks {
  readonly collected: ByteCollector;
  step: 'size' | 'data' | 'end of data' | 'trailer';
  /** What has come of a line, or of the trailer. */
  text: string;
  /** Bytes of the chunk that have not come. */
  missing: number;
  excess: number;
}

/** A body in chunks. Follows Go's net/http/internal/chunked.go. */
export function chunkedBody(): BodyReader {
  const chunks: Chunks = { collected: collectBytes(longestAnswer), step: 'size', text: '', missing: 0, excess: 0 };
  return {
    read: (piece) => {
      for (let at = 0; at < piece.length;) {
        const next = readStep(chunks, piece, at);
        if (typeof next === 'string') return { error: next };
        const error = finishStep(chunks);
        if (error !== '') return { error };
        at = next;
        const trailer = chunks.step === 'trailer' ? readTrailer(chunks.text) : undefined;
        if (trailer === '') return { ended: chunks.collected.bytes(), left: piece.length - at };
        if (trailer !== undefined) return { error: trailer };
      }
      return 'more';
    },
    finish: () => ({
      error: chunks.step === 'trailer' ? 'http: unexpected EOF reading trailer' : 'unexpected EOF',
    }),
  };
}

/** A piece as far as it belongs to one step: where the next begins, or what is wrong. */
function readStep(chunks: Chunks, piece: Buffer, at: number): number | string {
  if (chunks.step === 'data') {
    const end = Math.min(piece.length, at + chunks.missing);
    if (!chunks.collected.add(piece.subarray(at, end))) return tooLong;
    chunks.missing -= end - at;
    if (chunks.missing === 0) chunks.step = 'end of data';
    return end;
  }
  const wanted =
    chunks.step === 'end of data' ? at + 2 - chunks.text.length : piece.indexOf('\n', at) + 1 || piece.length;
  const end = Math.min(piece.length, wanted);
  chunks.text += piece.toString('latin1', at, end);
  if (chunks.text.length > longestLine) return chunks.step === 'size' ? 'header line too long' : longTrailer;
  return end;
}

/** Goes on to the next step when a line, or the end of a chunk, is complete; what is wrong with it, or ''. */
function finishStep(chunks: Chunks): string {
  const { step, text } = chunks;
  if (step === 'size' && text.endsWith('\n')) {
    chunks.text = '';
    return beginChunk(chunks, text);
  }
  if (step === 'end of data' && text.length === 2) {
    if (text !== '\r\n') return 'malformed chunked encoding';
    chunks.text = '';
    chunks.step = 'size';
  }
  return '';
}

/** Go lets pass 16 bytes a chunk that are no data, and twice as much as there is data. */
function beginChunk(chunks: Chunks, line: string): string {
  const size = chunkSize(line);
  if (typeof size === 'string') return size;
  chunks.excess = Math.max(0, chunks.excess + line.length - 16 - 2 * size);
  if (chunks.excess > mostExcess) return 'chunked encoding contains too much non-data';
  chunks.missing = size;
  chunks.step = size === 0 ? 'trailer' : 'data';
  return '';
}

/** The number that a chunk begins with, or what is wrong with its line. */
function chunkSize(line: string): number | string {
  const end = line.indexOf('\r');
  if (end < 0) return 'chunked line ends with bare LF';
  if (end !== line.length - 2) return 'invalid CR in chunked line';
  const [size = ''] = line
    .slice(0, end)
    .replace(/[ \t]+$/, '')
    .split(';', 1);
  if (size === '') return 'empty hex number for chunk length';
  const wrong = /[^0-9a-f]/i.exec(size)?.index ?? size.length;
  if (wrong >= 16 && size.length > 16) return 'http chunk length too large';
  return wrong < size.length ? 'invalid byte in chunk length' : Number.parseInt(size, 16);
}

const longTrailer = 'http: suspiciously long trailer after chunked body';

/** Nobody is told what a trailer says: '' when it has come, undefined as long as more is to come. */
function readTrailer(text: string): string | undefined {
  if (text === '\r\n') return '';
  if (!text.endsWith('\r\n\r\n')) return undefined;
  const fields = readFields(text.slice(0, -'\r\n\r\n'.length).split('\r\n'));
  return typeof fields === 'string' ? fields : '';
}
