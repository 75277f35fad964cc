import { forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { setFields } from './printed-form.ts';
import type { Level } from './schema-level.ts';

/** What a schema may say of kind, apiVersion and metadata. Follows apiextensions-apiserver pkg/apiserver/schema/validation.go. */
export function metadataErrors(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const { kind, apiVersion, metadata } = asObject(schema['properties']);
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const at = (name: string): string => `${path}.properties[${name}]`;
  return [
    ...(isResource && isJsonObject(kind) ? textErrors(kind, at('kind')) : []),
    ...(isResource && isJsonObject(apiVersion) ? textErrors(apiVersion, at('apiVersion')) : []),
    ...(isResource && isJsonObject(metadata) && metadata['type'] !== 'object'
      ? [invalidValue(`${at('metadata')}.type`, asString(metadata['type']), 'must be object')]
      : []),
    ...(level === 'root' && isJsonObject(metadata) && saysMore(metadata)
      ? [forbiddenField(at('metadata'), onlyNames)]
      : []),
  ];
}

const onlyNames = 'must not specify anything other than name and generateName, but metadata is implicitly specified';

const textErrors = ({ type }: JsonObject, path: string): readonly FieldError[] =>
  type === 'string' ? [] : [invalidValue(`${path}.type`, asString(type), 'must be string')];

/** Only the type, a default, and the properties name and generateName may be there. */
function saysMore(metadata: JsonObject): boolean {
  const names = Object.keys(asObject(metadata['properties']));
  const allowed = [
    'Type',
    'Default',
    ...(names.every((name) => name === 'name' || name === 'generateName') ? ['Properties'] : []),
  ];
  return setFields(metadata).some((field) => !allowed.includes(field));
}
