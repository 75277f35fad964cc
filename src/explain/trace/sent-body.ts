import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import { asString, valueAt } from '../../machinery/json/json.ts';
import type { TracedRequest } from './trace.ts';

/** JSON as a value, YAML as text; nothing for other formats and unreadable bodies. */
export function sentBody({ headers, body }: Pick<ApiRequest, 'headers' | 'body'>): Pick<TracedRequest, 'body'> {
  const type = headers['content-type'];
  const format = typeof type === 'string' ? type : '';
  if (body.length === 0 || !/json|yaml/.test(format)) return {};
  const text = new TextDecoder().decode(body);
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') return format.includes('yaml') ? { body: text } : {};
  return { body: plainValue(reading.json.value) };
}

/** Longer bodies are not parsed for the name alone. */
const maxLength = 64 * 1024;

/** The name in the body of a request without an object; empty when it has none. */
export function sentName(request: Pick<ApiRequest, 'headers' | 'body'>): string {
  if (request.body.length > maxLength) return '';
  if (request.headers['content-type'] === 'application/vnd.kubernetes.protobuf') return nameInProtobuf(request.body);
  return asString(valueAt(sentBody(request).body, 'metadata', 'name'));
}

/** A DELETE may have dryRun in its body. */
export const isDryRun = ({ method, query }: Pick<ApiRequest, 'method' | 'query'>, body: () => string): boolean =>
  query.has('dryRun') || (method === 'DELETE' && /"dryRun":\s*\[\s*"/.test(body()));

const envelope = [0x6b, 0x38, 0x73, 0];
/** Fields of runtime.Unknown, of nearly every kind, and of ObjectMeta. */
const [raw, metadata, name] = [2, 1, 1];

/** `metadata.name` of a protobuf object as client-go sends it; empty when absent. */
export function nameInProtobuf(body: Uint8Array): string {
  if (envelope.some((byte, at) => body[at] !== byte)) return '';
  const object = field(body.subarray(envelope.length), raw);
  const text = object && field(object, metadata);
  const textField = text && field(text, name);
  return textField ? new TextDecoder().decode(textField) : '';
}

/** The first field with this number, if all fields before it are bytes. */
function field(message: Uint8Array, wanted: number): Uint8Array | undefined {
  let at = 0;
  while (at < message.length) {
    const tag = varint(message, at);
    const length = tag && varint(message, tag.end);
    if (!length || tag.value % 8 !== 2) return undefined;
    const end = length.end + length.value;
    if (tag.value >> 3 === wanted) return end <= message.length ? message.subarray(length.end, end) : undefined;
    at = end;
  }
  return undefined;
}

/** At most four bytes: bodies are not longer. */
function varint(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = start; at < start + 4; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) << (7 * (at - start));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return undefined;
}
