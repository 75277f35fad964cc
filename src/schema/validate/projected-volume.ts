import { forbiddenField, invalidValue, required } from '../../apimachinery/field-error.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { validateFieldRef, validateResourceFieldRef } from './container-env.ts';
import { each, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';
import { fileName, invalidMode, keyToPathErrors } from './volume-items.ts';

const volumeFieldPaths = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** Files from fields of the pod. Follows kubernetes pkg/apis/core/validation validateDownwardAPIVolumeFile. */
export const downwardApiItems = (items: JsonValue | undefined, path: string): Complaints =>
  each(items, path, (item, at) => {
    const { fieldRef, resourceFieldRef } = item;
    return [
      ...fileName(`${at}.path`, asString(item['path'])),
      ...(fieldRef === undefined ? [] : validateFieldRef(fieldRef, volumeFieldPaths, `${at}.fieldRef`)),
      ...when(fieldRef !== undefined && resourceFieldRef !== undefined, () =>
        invalidValue(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
      ),
      ...(fieldRef !== undefined || resourceFieldRef === undefined
        ? []
        : validateResourceFieldRef(resourceFieldRef, `${at}.resourceFieldRef`, true)),
      ...when(fieldRef === undefined && resourceFieldRef === undefined, () =>
        required(at, 'one of fieldRef and resourceFieldRef is required'),
      ),
      ...invalidMode(`${at}.mode`, item['mode']),
    ];
  });

/** Several sources in one directory. Follows kubernetes pkg/apis/core/validation validateProjectedVolumeSource. */
export function projectedErrors(source: JsonObject, path: string): Complaints {
  return [
    ...invalidMode(`${path}.defaultMode`, source['defaultMode']),
    ...each(source['sources'], `${path}.sources`, (part, at) => partErrors(part, at)),
  ];
}

const kinds = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

function partErrors(part: JsonObject, path: string): Complaints {
  const [first, ...others] = kinds.filter((kind) => part[kind] !== undefined);
  if (first === undefined) return [];
  return [
    ...kindErrors(first, asObject(part[first]), `${path}.${first}`),
    ...others.map((other) => forbiddenField(`${path}.${other}`, 'may not specify more than 1 volume type per source')),
  ];
}

function kindErrors(kind: (typeof kinds)[number], part: JsonObject, path: string): Complaints {
  switch (kind) {
    case 'secret':
    case 'configMap':
      return [
        ...when(asString(part['name']) === '', () => required(`${path}.name`, '')),
        ...keyToPathErrors(part['items'], `${path}.items`),
      ];
    case 'downwardAPI':
      return downwardApiItems(part['items'], `${path}.items`);
    case 'serviceAccountToken':
      return tokenErrors(part, path);
    case 'clusterTrustBundle':
    case 'podCertificate':
      return [];
  }
}

function tokenErrors(part: JsonObject, path: string): Complaints {
  const seconds = Number(part['expirationSeconds'] ?? 0);
  const field = `${path}.expirationSeconds`;
  return [
    ...when(seconds < 600, () => invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')),
    ...when(seconds > 2 ** 32, () =>
      invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds'),
    ),
    ...(asString(part['path']) === ''
      ? [required(`${path}.path`, '')]
      : fileName(`${path}.path`, asString(part['path']))),
  ];
}

/** Does a projected volume hold a service account token? */
export const tokenSources = (volume: JsonObject): readonly number[] =>
  asList(asObject(volume['projected'])['sources']).flatMap((part, index) =>
    asObject(part)['serviceAccountToken'] === undefined ? [] : [index],
  );
