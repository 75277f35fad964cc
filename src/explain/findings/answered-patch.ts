import { base64Bytes } from '../../machinery/go/base64-bytes.ts';
import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { TracedWebhook } from '../trace/trace.ts';

/** The patch in the answer of a webhook: what it sent, also when it could not be applied; [] when it cannot be read. */
export function answeredPatch({ answer, patch }: Pick<TracedWebhook, 'answer' | 'patch'>): readonly JsonObject[] {
  if (patch !== undefined) return patch;
  const encoded = asString(asObject(asObject(answer)['response'])['patch']);
  try {
    const bytes = base64Bytes(encoded);
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(read) ? read.filter(isJsonObject) : [];
  } catch {
    return [];
  }
}
