import { goJsonKind } from '../go/go-print.ts';
import { isJsonObject } from './json.ts';
import type { JsonText } from './json-reader.ts';

export type BodyType =
  | { readonly outcome: 'typed'; readonly apiVersion: string; readonly kind: string }
  | { readonly outcome: 'untyped'; readonly error: string };

const typeStruct = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

const unparsed = "couldn't get version/kind; json parse error: ";

/** The apiVersion and kind a body states, '' where it does not. Follows apimachinery pkg/runtime/serializer/json/meta.go. */
export function typeOf({ value }: Pick<JsonText, 'value'>): BodyType {
  if (value === null) return { outcome: 'typed', apiVersion: '', kind: '' };
  if (!isJsonObject(value)) {
    return {
      outcome: 'untyped',
      error: `${unparsed}json: cannot unmarshal ${goJsonKind(value)} into Go value of type ${typeStruct}`,
    };
  }
  const apiVersion = value['apiVersion'] ?? '';
  const kind = value['kind'] ?? '';
  if (typeof apiVersion !== 'string') {
    return {
      outcome: 'untyped',
      error: `${unparsed}json: cannot unmarshal ${goJsonKind(apiVersion)} into Go struct field .apiVersion of type string`,
    };
  }
  if (typeof kind !== 'string') {
    return {
      outcome: 'untyped',
      error: `${unparsed}json: cannot unmarshal ${goJsonKind(kind)} into Go struct field .kind of type string`,
    };
  }
  if (apiVersion.split('/').length > 2) {
    return { outcome: 'untyped', error: `unexpected GroupVersion string: ${apiVersion}` };
  }
  return { outcome: 'typed', apiVersion, kind };
}
