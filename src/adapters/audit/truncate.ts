import { asObject, isJsonObject } from '../../machinery/json/json.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';

/**
 * The event without its bodies when its line is too large; undefined when it is still too large. Follows apiserver
 * plugin/pkg/audit/truncate/truncate.go.
 */
export function truncated(line: string, mostBytes: number): string | undefined {
  // Upstream counts the line's end.
  if (mostBytes === Infinity || Buffer.byteLength(line) + 1 <= mostBytes) return line;
  const event: unknown = JSON.parse(line);
  if (!isJsonObject(event)) return undefined;
  const { requestObject, responseObject, annotations, ...rest } = event;
  if (requestObject === undefined && responseObject === undefined) return undefined;
  const marked = { ...asObject(annotations), 'audit.k8s.io/truncated': 'true' };
  const shorter = writeJsonForGo({ ...rest, annotations: marked });
  return Buffer.byteLength(shorter) + 1 <= mostBytes ? shorter : undefined;
}
