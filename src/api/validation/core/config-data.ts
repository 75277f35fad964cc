import { validateText, eachKey, errorIf, type FieldErrors } from '../field-rules.ts';
import { trimRight } from '../../../machinery/go/strings.ts';
import { forbiddenField, invalidValue, required, tooLong } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { concat } from '../../../machinery/lists.ts';
import { byteLength, configMapKeyErrors } from '../../../machinery/meta/names.ts';
import { metadataOf, type StringMap } from '../../../machinery/meta/object.ts';
import type { ConfigMap, Secret } from '../../types/generated/core-v1.ts';
import { subdomainName, validateImmutableField, validateCoreObjectMeta } from '../meta/object-meta.ts';

const maxBytes = 1024 * 1024;

/** Follows kubernetes pkg/apis/core/validation ValidateConfigMap. */
export function validateConfigMap(configMap: ConfigMap): FieldErrors {
  const data = asObject(configMap.data);
  const binaryData = asObject(configMap.binaryData);
  const bytes = sumLengths(data, byteLength) + sumLengths(binaryData, computeDecodedLength);
  return concat(
    eachKey(data, (key) =>
      concat(
        validateText(configMapKeyErrors, `data[${key}]`, key),
        errorIf(Object.hasOwn(binaryData, key), () =>
          invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'),
        ),
      ),
    ),
    eachKey(binaryData, (key) => validateText(configMapKeyErrors, `binaryData[${key}]`, key)),
    // Upstream's path of the whole object.
    errorIf(bytes > maxBytes, () => tooLong('[]', maxBytes)),
  );
}

const sumLengths = (map: StringMap, lengthOf: (text: string) => number): number =>
  Object.values(map).reduce((total, text) => total + lengthOf(asString(text)), 0);

export const computeDecodedLength = (base64: string): number => Math.floor((trimRight(base64, '=').length * 3) / 4);

/** Follows kubernetes pkg/apis/core/validation ValidateConfigMapUpdate. */
export const validateConfigMapUpdate = (configMap: ConfigMap, old: ConfigMap): FieldErrors =>
  concat(
    validateImmutableData(configMap, old, ['data', 'binaryData']),
    validateCoreObjectMeta(metadataOf(configMap), true, subdomainName),
    validateConfigMap(configMap),
  );

type ImmutableData<Field extends string> = { readonly immutable?: boolean } & { readonly [name in Field]?: JsonObject };

/** An immutable object keeps its data and its mark. */
function validateImmutableData<Field extends 'data' | 'binaryData'>(
  object: ImmutableData<Field>,
  old: ImmutableData<Field>,
  fields: readonly Field[],
): FieldErrors {
  if (old.immutable !== true) return [];
  const text = 'field is immutable when `immutable` is set';
  return [
    ...errorIf(object.immutable !== true, () => forbiddenField('immutable', text)),
    ...fields.flatMap((field) => errorIf(!sameJson(object[field], old[field]), () => forbiddenField(field, text))),
  ];
}

/** Follows kubernetes pkg/apis/core/validation ValidateSecret. */
export function validateSecret(secret: Secret): FieldErrors {
  const data = asObject(secret.data);
  return [
    ...eachKey(data, (key) => validateText(configMapKeyErrors, `data[${key}]`, key)),
    ...errorIf(sumLengths(data, computeDecodedLength) > maxBytes, () => tooLong('data', maxBytes)),
    ...validateSecretType(secret, data),
  ];
}

/** The error must not contain the secret. Follows ValidateSecret. */
function validateJsonMap(base64: string, path: string): FieldErrors {
  const reading = readJson(new TextDecoder().decode(base64Bytes(base64)));
  const wrong = reading.outcome === 'unreadable' ? reading.error : findMapError(plainValue(reading.json.value));
  return errorIf(wrong !== '', () => invalidValue(path, '<secret contents redacted>', wrong));
}

function findMapError(value: JsonValue): string {
  if (value === null || isJsonObject(value)) return '';
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${kind === 'bigint' ? 'number' : kind} into Go value of type map[string]interface {}`;
}

const accountName = 'kubernetes.io/service-account.name';

function validateSecretType(secret: Secret, data: StringMap): FieldErrors {
  const missing = (key: string): FieldErrors => errorIf(!Object.hasOwn(data, key), () => required(`data[${key}]`, ''));
  const dockerErrors = (key: string): FieldErrors =>
    Object.hasOwn(data, key) ? validateJsonMap(asString(data[key]), `data[${key}]`) : missing(key);
  switch (asString(secret.type)) {
    case 'kubernetes.io/service-account-token':
      return errorIf(!metadataOf(secret).annotations?.[accountName], () =>
        required(`metadata.annotations[${accountName}]`, ''),
      );
    case 'kubernetes.io/dockercfg':
      return dockerErrors('.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return dockerErrors('.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      return Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password')
        ? []
        : [...missing('username'), ...missing('password')];
    case 'kubernetes.io/ssh-auth':
      return errorIf(asString(data['ssh-privatekey']) === '', () => required('data[ssh-privatekey]', ''));
    case 'kubernetes.io/tls':
      return [...missing('tls.crt'), ...missing('tls.key')];
    default:
      return [];
  }
}

/** Follows kubernetes pkg/apis/core/validation ValidateSecretUpdate. */
export const validateSecretUpdate = (secret: Secret, old: Secret): FieldErrors => [
  ...validateImmutableField('type', secret.type, old.type, ''),
  ...validateImmutableData(secret, old, ['data']),
  ...validateCoreObjectMeta(metadataOf(secret), true, subdomainName),
  ...validateSecret(secret),
];
