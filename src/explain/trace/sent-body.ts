import { asString, valueAt } from '../../machinery/json/json.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import { nameInProtobuf } from './protobuf-name.ts';
import type { TracedRequest } from './trace.ts';

/** The body of a request for its trace: JSON as a value, YAML as text, nothing of any other format or of a broken one. */
export function sentBody({ headers, body }: Pick<ApiRequest, 'headers' | 'body'>): Pick<TracedRequest, 'body'> {
  const type = headers['content-type'];
  const format = typeof type === 'string' ? type : '';
  if (body.length === 0 || !/json|yaml/.test(format)) return {};
  const text = new TextDecoder().decode(body);
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') return format.includes('yaml') ? { body: text } : {};
  return { body: plainValue(reading.json.value) };
}

/** Longer bodies are not read for their name alone. */
const longest = 64 * 1024;

/** The name that the body of a request that came to nothing gives its object; empty when it has none. */
export function nameSent(request: Pick<ApiRequest, 'headers' | 'body'>): string {
  if (request.body.length > longest) return '';
  if (request.headers['content-type'] === 'application/vnd.kubernetes.protobuf') return nameInProtobuf(request.body);
  return asString(valueAt(sentBody(request).body, 'metadata', 'name'));
}

/** Does the request store nothing? A DELETE may say so in its options, the body. */
export const isDryRun = ({ method, query }: Pick<ApiRequest, 'method' | 'query'>, body: () => string): boolean =>
  query.has('dryRun') || (method === 'DELETE' && /"dryRun":\s*\[\s*"/.test(body()));
