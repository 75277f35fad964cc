import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { readBoundedBytes } from '../../../adapters/files/bounded-file.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject } from '../../../machinery/meta/object.ts';
import { tryRead } from '../../../adapters/config/read-files.ts';

/** Uncompressed; the content is in memory while it is restored. */
const maxBytes = 1024 * 1024 * 1024;
const gzipMagic = [0x1f, 0x8b];

/** `kadmit snapshot save` may gzip its file; manifests are never gzipped. */
export function isSnapshot(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(firstBytes.length);
    readSync(file, start);
    return isGzipped(start) || start.toString('latin1') === firstBytes;
  } finally {
    closeSync(file);
  }
}

const isGzipped = (bytes: Buffer): boolean => bytes[0] === gzipMagic[0] && bytes[1] === gzipMagic[1];

/** May be gzipped. Throws ConfigError for a file that is no snapshot, ends early or is too large. */
export function readSnapshot(path: string): ClusterSnapshot {
  const objects: KubernetesObject[] = [];
  let header: SnapshotHeader | undefined;
  let end: number | undefined;
  let line = 0;
  for (const text of splitLines(readBytes(path), path)) {
    line += 1;
    if (text === '') continue;
    if (end !== undefined) throw new ConfigError(`${path}, line ${line}: something follows its end`);
    const value = parseLine(text, `${path}, line ${line}`);
    if (header === undefined) header = parseHeader(value, path);
    else if (isEnd(value)) end = value.objects;
    else objects.push(parseObject(value, `${path}, line ${line}`));
  }
  if (header === undefined) throw new ConfigError(`${path} is empty`);
  if (end !== objects.length)
    throw new ConfigError(`${path} ends early, after ${objects.length} objects: it was not written to its end`);
  return { header, objects };
}

const readBytes = (path: string): Buffer =>
  tryRead(path, () => {
    const bytes = readBoundedBytes(path, maxBytes);
    return isGzipped(bytes) ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes;
  });

/** Bytes. A server accepts objects of up to 3 MiB. */
const maxLineLength = 16 * 1024 * 1024;

function* splitLines(bytes: Buffer, path: string): Generator<string> {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    if (end - start > maxLineLength) throw new ConfigError(`${path}: a line of it is longer than 16 MiB`);
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}

function parseLine(text: string, place: string): JsonValue {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') throw new ConfigError(`${place}: ${reading.error}`);
  return plainValue(reading.json.value);
}

function parseHeader(value: JsonValue, path: string): SnapshotHeader {
  const { kadmitSnapshot: version, takenAt, server, secrets } = isJsonObject(value) ? value : {};
  if (version === undefined) throw new ConfigError(`${path} is no snapshot: kadmit snapshot save writes one`);
  if (version !== 1)
    throw new ConfigError(`${path} is a snapshot of version ${writeJson(version)}, and this kadmit reads version 1`);
  return { kadmitSnapshot: 1, takenAt: asString(takenAt), server: asString(server), secrets: secrets === true };
}

function parseObject(value: JsonValue, place: string): KubernetesObject {
  const object = asKubernetesObject(value);
  if (object === undefined) throw new ConfigError(`${place}: no object with apiVersion and kind`);
  return object;
}

/**
 * A snapshot has a JSON value per line: this header, the objects (definitions and namespaces first, admission configurations last), then
 * `{"objects":N}`; without that it ended early.
 */
export interface SnapshotHeader {
  readonly kadmitSnapshot: 1;
  readonly takenAt: string;
  readonly server: string;
  readonly secrets: boolean;
}

export interface SnapshotEnd {
  readonly objects: number;
}

export interface ClusterSnapshot {
  readonly header: SnapshotHeader;
  readonly objects: readonly KubernetesObject[];
}

/** Every snapshot begins with these bytes. */
export const firstBytes = '{"kadmitSnapshot":';

export const isEnd = (line: unknown): line is SnapshotEnd =>
  isJsonObject(line) && line['kind'] === undefined && typeof line['objects'] === 'number';
