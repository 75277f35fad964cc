import { readJson } from '../apimachinery/json-reader.ts';
import { asString, isJsonObject } from '../apimachinery/json.ts';

export type ContinueToken =
  | { readonly outcome: 'read'; readonly after: string; readonly revision: number }
  | { readonly outcome: 'invalid'; readonly error: string };

/** The token of the page after the object at `path`. Follows apiserver pkg/storage/continue.go. */
export function continueAfter(path: string, revision: number): string {
  const json = JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${path}\u0000` });
  return btoa(String.fromCodePoint(...new TextEncoder().encode(json).values()))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export function readContinue(token: string): ContinueToken {
  if (!/^[A-Za-z0-9_-]*$/.test(token) || token.length % 4 === 1) {
    return {
      outcome: 'invalid',
      error: `continue key is not valid: illegal base64 data at input byte ${illegalAt(token)}`,
    };
  }
  const text = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
  const reading = readJson(text);
  if (reading.outcome === 'unreadable')
    return { outcome: 'invalid', error: `continue key is not valid: ${goError(reading.error)}` };
  const { value } = reading.json;
  if (!isJsonObject(value))
    return { outcome: 'invalid', error: 'continue key is not valid: json: cannot unmarshal into Go value' };
  const { v, rv, start } = value;
  if (v !== 'meta.k8s.io/v1') {
    return {
      outcome: 'invalid',
      error: `continue key is not valid: server does not recognize this encoded version ${JSON.stringify(asString(v))}`,
    };
  }
  if (typeof rv !== 'number' || rv === 0) {
    return {
      outcome: 'invalid',
      error: 'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    };
  }
  const after = asString(start);
  if (after === '')
    return { outcome: 'invalid', error: 'continue key is not valid: encoded start key empty (version meta.k8s.io/v1)' };
  return { outcome: 'read', after: after.endsWith('\u0000') ? after.slice(0, -1) : after, revision: rv };
}

/** The byte at which Go's base64 reader gives up. */
function illegalAt(token: string): number {
  const bad = token.search(/[^A-Za-z0-9_-]/);
  return bad >= 0 ? bad : token.length - 1;
}

/** A character beyond ASCII stands in Go's errors as its escape: the token's bytes are no UTF-8. */
const goError = (error: string): string =>
  error.replaceAll(/[\u0080-\u00a0\u00ad]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
