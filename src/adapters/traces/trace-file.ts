import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { bigintAsText } from '../../machinery/json/json-writer.ts';
import { isJsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { maskTrace } from '../../explain/trace/mask.ts';
import {
  type EmbeddedData,
  embeddedId,
  isEmbeddable,
  packedType,
  pageFile,
  type PageParts,
} from '../../explain/trace/page-html.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { existsSync, readFileSync } from 'node:fs';

interface TraceFileOptions {
  /** Does not mask Secrets. */
  readonly reveal?: boolean;
}

/**
 * One HTML file with the page and these traces. Secrets are masked unless `reveal` is set. Rejects when the page is
 * not built.
 */
export async function renderTraceFile(
  traces: readonly Trace[],
  { reveal = false }: TraceFileOptions = {},
): Promise<string> {
  const reading = readPageParts();
  if (reading.outcome === 'missing') throw new Error(reading.problem);
  const { parts } = reading;
  if (!isEmbeddable(parts.script + parts.style))
    throw new Error('the built page contains text that would end its script');
  const items = traces.map((trace) => traceText(reveal ? trace : maskTrace(trace)));
  const data = `{"traceVersion":1,"items":[${items.join(',\n')}]}`;
  return pageFile(parts, embedded(data), { script: sourceOf(parts.script), style: sourceOf(parts.style) });
}

/** In bytes, unpacked. */
export const maxTraceFileBytes = 256 * 1024 * 1024;

/** In characters; shorter data stays readable and searchable. */
const maxPlainBytes = 1024 * 1024;

const embedded = (json: string): EmbeddedData =>
  json.length <= maxPlainBytes
    ? { text: json, isPacked: false }
    : { text: gzipSync(json).toString('base64'), isPacked: true };

/** Its source in a Content-Security-Policy. */
const sourceOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

type TraceFileReading =
  | { readonly outcome: 'read'; readonly traces: readonly Trace[] }
  | { readonly outcome: 'unreadable'; readonly problem: string };

/** Reads a trace file, or JSON: one trace as `--trace-dir` writes it, a list, or `{"items": […]}`. */
export function readTraceFile(text: string, maxLength: number = maxTraceFileBytes): TraceFileReading {
  let value: unknown;
  try {
    value = JSON.parse(dataIn(text, maxLength));
  } catch {
    return { outcome: 'unreadable', problem: 'is neither a trace file nor the JSON of traces' };
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : isListed(value) ? value.items : [value];
  const problem = items.map(problemOf).find((one) => one !== undefined);
  if (problem !== undefined) return { outcome: 'unreadable', problem };
  return { outcome: 'read', traces: items.filter(isTrace) };
}

/** The JSON of a trace file; other texts unchanged. Throws for invalid gzip, or one that is too long. */
function dataIn(text: string, maxLength: number): string {
  const [, type, data] = new RegExp(`<script type="([^"]+)" id="${embeddedId}">([^<]*)</script>`).exec(text) ?? [];
  if (data === undefined) return text;
  return type === packedType
    ? gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: maxLength }).toString('utf8')
    : data;
}

const isListed = (value: unknown): value is { readonly items: readonly JsonValue[] } =>
  isJsonObject(value) && Array.isArray(value['items']);

const isTrace = (value: unknown): value is Trace => problemOf(value) === undefined;

/** undefined for a valid trace. */
function problemOf(value: unknown): string | undefined {
  const no = 'contains something other than traces';
  if (!isJsonObject(value)) return `${no}: a trace is an object`;
  const { traceVersion: version } = value;
  if (version === undefined) return `${no}: traceVersion is missing`;
  if (version !== 1) return `contains a trace of version ${JSON.stringify(version)}; this kadmit reads version 1`;
  const wrong = requiredFields.find(([field, isRight]) => !isRight(value[field]));
  if (wrong === undefined) return undefined;
  const [field, , type] = wrong;
  return `contains an incomplete trace: ${field} ${value[field] === undefined ? 'is missing' : `is not ${type}`}`;
}

const requiredFields: readonly (readonly [field: string, isRight: (value: unknown) => boolean, type: string])[] = [
  ['id', (value) => typeof value === 'string', 'a string'],
  ['request', isJsonObject, 'an object'],
  ['response', isJsonObject, 'an object'],
  ['admission', Array.isArray, 'a list'],
  ['stages', Array.isArray, 'a list'],
];

/** Integers beyond 2^53 become strings of digits, which no JSON reader rounds. */
export const traceText = (trace: Trace): string => JSON.stringify(trace, bigintAsText);

type PageReading =
  | { readonly outcome: 'read'; readonly parts: PageParts }
  | { readonly outcome: 'missing'; readonly problem: string };

// This file is src/adapters/traces/trace-file.ts, dist/main.js or dist/chunks/*.js.
const folders = ['./page/', '../page/', '../../../dist/page/'].map((path) => new URL(path, import.meta.url));

/** Reads the page that `npm run build` leaves in dist/page. */
export function readPageParts(): PageReading {
  const folder = folders.find((one) => existsSync(new URL('page.js', one)));
  if (folder === undefined) return { outcome: 'missing', problem: 'the page is not built: run npm run build' };
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  return { outcome: 'read', parts: { script: read('page.js'), style: read('page.css') } };
}
