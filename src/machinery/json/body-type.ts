import { goJsonKind } from '../go/go-print.ts';
import { isJsonObject } from './json.ts';
import type { JsonText } from './json-reader.ts';

export type BodyType =
  | { readonly outcome: 'typed'; readonly apiVersion: string; readonly kind: string }
  | { readonly outcome: 'untyped'; readonly error: string };

/** Go's type of the struct that every body is decoded into first. */
export const typeMetaStruct = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** Precedes every error of that decoding. */
export const typeMetaErrorPrefix = "couldn't get version/kind; json parse error: ";

const typeFields: ReadonlyMap<string, 'apiVersion' | 'kind'> = new Map([
  ['apiversion', 'apiVersion'],
  ['kind', 'kind'],
]);

/**
 * The apiVersion and kind a body states, '' where it does not. Names match in any case, and the last one counts, as in
 * encoding/json; those of a custom resource count as written, yet have to be texts in any case. Follows apimachinery
 * pkg/runtime/serializer/json/meta.go.
 */
export function typeOf({ value }: Pick<JsonText, 'value'>, isCustom = false): BodyType {
  if (value === null) return { outcome: 'typed', apiVersion: '', kind: '' };
  if (!isJsonObject(value)) {
    return {
      outcome: 'untyped',
      error: `${typeMetaErrorPrefix}json: cannot unmarshal ${goJsonKind(value)} into Go value of type ${typeMetaStruct}`,
    };
  }
  const typed = { apiVersion: '', kind: '' };
  for (const name of Object.keys(value)) {
    const field = typeFields.get(name.toLowerCase());
    const item = value[name];
    if (field === undefined || item === undefined || item === null) continue;
    if (typeof item !== 'string') {
      const error = `json: cannot unmarshal ${goJsonKind(item)} into Go struct field .${field} of type string`;
      return { outcome: 'untyped', error: `${typeMetaErrorPrefix}${error}` };
    }
    if (!isCustom || name === field) typed[field] = item;
  }
  const { apiVersion, kind } = typed;
  if (apiVersion.split('/').length > 2) {
    return { outcome: 'untyped', error: `unexpected GroupVersion string: ${apiVersion}` };
  }
  return { outcome: 'typed', apiVersion, kind };
}
