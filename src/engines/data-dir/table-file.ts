import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The first of LevelDB's tables in a folder that is not as it was written; undefined for none. LevelDB looks at the checksums of its logs
 * and not at those of its tables, and an unlucky byte in one ends the process. Follows leveldb doc/table_format.md.
 */
export function tornTable(folder: string): string | undefined {
  const tables = readdirSync(folder).filter((name) => /\.(ldb|sst)$/.test(name));
  return tables.find((name) => !isWhole(readFileSync(join(folder, name))));
}

interface Handle {
  readonly offset: number;
  readonly size: number;
}

const footerSize = 48;
const magic = 0xdb4775248b80fb57n;
/** Behind each block: how it is compressed, and its checksum. */
const trailerSize = 5;
const uncompressed = 0;

function isWhole(table: Buffer): boolean {
  if (table.length < footerSize) return false;
  const footer = table.subarray(table.length - footerSize);
  if (footer.readBigUInt64LE(footerSize - 8) !== magic) return false;
  const reader = readerOf(footer);
  const blocks = [handleOf(reader), handleOf(reader)].map((handle) => blockAt(table, handle));
  return blocks.every((block) => block !== undefined && handlesIn(block).every((handle) => blockAt(table, handle)));
}

/** The bytes of a block, if its checksum is right; kadmit writes none that are compressed. */
function blockAt(table: Buffer, { offset, size }: Handle): Buffer | undefined {
  const end = offset + size;
  if (!(end + trailerSize <= table.length) || table[end] !== uncompressed) return undefined;
  return masked(crc32c(table, offset, end + 1)) === table.readUInt32LE(end + 1)
    ? table.subarray(offset, end)
    : undefined;
}

/** What an index points at: each entry has a key, of which a part is that of the one before, and a handle. */
function handlesIn(block: Buffer): readonly Handle[] {
  const restarts = block.length >= 4 ? block.readUInt32LE(block.length - 4) : 0;
  const reader = readerOf(block);
  const end = block.length - 4 * (restarts + 1);
  const handles: Handle[] = [];
  while (reader.at() < end) {
    reader.number();
    const [key, value] = [reader.number(), reader.number()];
    reader.skip(key);
    const next = reader.at() + value;
    handles.push(handleOf(reader));
    reader.skip(next - reader.at());
  }
  return handles;
}

interface Reader {
  readonly at: () => number;
  readonly number: () => number;
  readonly skip: (count: number) => void;
}

/** Numbers of seven bits a byte, the lowest first. What reads past the end reads zeros. */
function readerOf(bytes: Buffer): Reader {
  let place = 0;
  return {
    at: () => place,
    number: () => {
      let [value, factor] = [0, 1];
      for (;;) {
        const byte = bytes[place] ?? 0;
        place += 1;
        value += (byte & 0x7f) * factor;
        factor *= 128;
        if (byte < 0x80) return value;
      }
    },
    skip: (count) => {
      place += count;
    },
  };
}

const handleOf = (reader: Reader): Handle => ({ offset: reader.number(), size: reader.number() });

/** LevelDB stores checksums so: it takes checksums of what holds some. Follows leveldb util/crc32c.h. */
const masked = (sum: number): number => (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0;

const castagnoli = Uint32Array.from({ length: 256 }, (_none, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0x82f63b78 : sum >>> 1;
  return sum;
});

/** The CRC-32C of some bytes. Node has only the other polynomial. */
function crc32c(bytes: Buffer, start: number, end: number): number {
  let sum = 0xffffffff;
  for (let at = start; at < end; at += 1) sum = (sum >>> 8) ^ (castagnoli[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return (sum ^ 0xffffffff) >>> 0;
}
