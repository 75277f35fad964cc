import { parseApiVersion } from '../../src/machinery/meta/gvk.ts';
import { asString, isJsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import type { RandomChoices } from '../harness/random-choices.ts';
import { request, type RequestAct } from './case.ts';
import { jsonText } from './json-text.ts';
import { encodeObject } from './protobuf.ts';

/** A long object as JSON, sometimes as block-style YAML or as protobuf. */
export function encodeWrite(random: RandomChoices, method: string, path: string, object: JsonValue): RequestAct {
  const form = random.pick(['json', 'json', 'json', 'yaml', 'protobuf']);
  if (form === 'yaml') return request(method, path, blockYaml(object), 'application/yaml');
  return (form === 'protobuf' && encodeProtobuf(method, path, object)) || request(method, path, object);
}

/** undefined for an object that is not of its kind, and for kinds without protobuf. */
function encodeProtobuf(method: string, path: string, object: JsonValue): RequestAct | undefined {
  if (!isJsonObject(object)) return undefined;
  const { apiVersion, kind } = object;
  try {
    const body = encodeObject(object, { ...parseApiVersion(asString(apiVersion)), kind: asString(kind) });
    return { act: 'request', method, path, headers: { 'content-type': 'application/vnd.kubernetes.protobuf' }, body };
  } catch {
    return undefined;
  }
}

/** A line for each field and each item; the library would take seconds. */
export function blockYaml(value: JsonValue, indent = ''): string {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `\n${indent}- ${blockYaml(item, `${indent}  `)}`).join('');
  }
  if (!isJsonObject(value) || Object.keys(value).length === 0) return jsonText(value);
  const lines = Object.entries(value).map(([name, inner]) => {
    return `\n${indent}${jsonText(name)}: ${blockYaml(inner ?? null, `${indent}  `)}`;
  });
  return lines.join('');
}
