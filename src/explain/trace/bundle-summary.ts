import { asObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';

/** How a trace tells of a caBundle that was put into base64 once more. */
export const encodedTwice = 'in base64 twice';

/** A webhook's definition without its caBundle, which is long, and the same for every webhook of a server. */
export function withoutBundle(definition: JsonObject): JsonObject {
  const clientConfig = asObject(definition['clientConfig']);
  const { caBundle } = clientConfig;
  if (typeof caBundle !== 'string') return definition;
  const twice = caBundle.startsWith(pemTwice) ? `, ${encodedTwice}` : '';
  return { ...definition, clientConfig: { ...clientConfig, caBundle: `(${caBundle.length} characters${twice})` } };
}

/** Base64 of base64 of `-----BEGIN CERT`. */
const pemTwice = 'TFMwdExTMUNSVWRKVGlCRFJWSl';
