import { plainValue, readJson } from '../apimachinery/json-reader.ts';
import type { ApiRequest } from '../request/api-request.ts';
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

/** Does the request store nothing? A DELETE may say so in its options, the body. */
export const isDryRun = ({ method, query }: Pick<ApiRequest, 'method' | 'query'>, body: () => string): boolean =>
  query.has('dryRun') || (method === 'DELETE' && /"dryRun":\s*\[\s*"/.test(body()));
