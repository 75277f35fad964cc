import {
  validateTokenExpiration,
  validateLocalDescendingPath,
  each,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type * as core from '../../types/generated/core-v1.ts';
import type { KeyToPath } from '../../types/generated/core-v1.ts';
import { validateObjectFieldSelector, validateContainerResourceFieldSelector } from './container-env.ts';

/** Follows kubernetes pkg/apis/core/validation validateKeyToPath. */
export const validateFileMode = (field: string, mode: JsonValue | undefined): FieldErrors =>
  errorIf(mode !== undefined && (Number(mode) < 0 || Number(mode) > 511), () =>
    invalidValue(field, mode ?? 0, 'must be a number between 0 and 0777 (octal), both inclusive'),
  );

/** Follows kubernetes pkg/apis/core/validation validateKeyToPath. */
export const validateKeyToPaths = (items: readonly KeyToPath[] | null | undefined, path: string): FieldErrors =>
  each(items, path, validateKeyToPath);

export const validateKeyToPath = (item: KeyToPath, at: string): FieldErrors => [
  ...errorIf(asString(item.key) === '', () => required(`${at}.key`, '')),
  ...validateLocalNonReservedPath(`${at}.path`, asString(item.path)),
  ...validateFileMode(`${at}.mode`, item.mode),
];

/** Follows kubernetes pkg/apis/core/validation validateLocalNonReservedPath. */
export function validateLocalNonReservedPath(field: string, path: string): FieldErrors {
  if (path === '') return [required(field, '')];
  return [
    ...validateLocalDescendingPath(field, path),
    ...errorIf(path.startsWith('..') && !path.startsWith('../../api/'), () =>
      invalidValue(field, path, "must not start with '..'"),
    ),
  ];
}

const volumeFieldPaths = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/**
 * Upstream's errors do not name the file. Follows kubernetes pkg/apis/core/validation validateDownwardAPIVolumeFile.
 */
export function validateDownwardApiVolumeFile(item: core.DownwardAPIVolumeFile, at: string): FieldErrors {
  const { fieldRef, resourceFieldRef } = item;
  return [
    ...validateLocalNonReservedPath(`${at}.path`, asString(item.path)),
    ...(fieldRef === undefined ? [] : validateObjectFieldSelector(fieldRef, volumeFieldPaths, `${at}.fieldRef`)),
    ...errorIf(fieldRef !== undefined && resourceFieldRef !== undefined, () =>
      invalidValue(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
    ),
    ...(fieldRef !== undefined || resourceFieldRef === undefined
      ? []
      : validateContainerResourceFieldSelector(resourceFieldRef, `${at}.resourceFieldRef`, true)),
    ...errorIf(fieldRef === undefined && resourceFieldRef === undefined, () =>
      required(at, 'one of fieldRef and resourceFieldRef is required'),
    ),
    ...validateFileMode(`${at}.mode`, item.mode),
  ];
}

/** Follows kubernetes pkg/apis/core/validation validateProjectedVolumeSource. */
export function validateProjectedVolumeSource(source: core.ProjectedVolumeSource, path: string): FieldErrors {
  const paths = new Set<string>();
  const conflict = (file: string, value: string): FieldErrors => {
    const isTaken = file !== '' && isDuplicate(paths, file);
    return errorIf(isTaken, () => invalidValue(path, value, 'conflicting duplicate paths'));
  };
  return [
    ...validateFileMode(`${path}.defaultMode`, source.defaultMode),
    ...each(source.sources, `${path}.sources`, (part, at) => [
      ...projectionKinds
        .filter((kind) => part[kind] !== undefined)
        .flatMap((kind) => validateProjectionSource(kind, part, { at: `${at}.${kind}`, volume: path, conflict })),
      ...errorIf(projectionKinds.filter((kind) => part[kind] !== undefined).length > 1, () =>
        forbiddenField(at, 'may not specify more than 1 volume type per source'),
      ),
    ]),
  ];
}

interface ProjectionSite {
  readonly at: string;
  readonly volume: string;
  readonly conflict: (file: string, value: string) => FieldErrors;
}

const projectionKinds = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
] as const satisfies readonly (keyof core.VolumeProjection)[];

function validateProjectionSource(
  kind: (typeof projectionKinds)[number],
  part: core.VolumeProjection,
  place: ProjectionSite,
): FieldErrors {
  const { at, volume, conflict } = place;
  switch (kind) {
    case 'secret':
    case 'configMap': {
      const source = asObject(part[kind]);
      const name = asString(source.name);
      return [
        ...errorIf(name === '', () => required(`${at}.name`, '')),
        ...each(source.items, `${at}.items`, (item, itemAt) => [
          ...validateKeyToPath(item, itemAt),
          ...conflict(asString(item.path), name),
        ]),
      ];
    }
    case 'downwardAPI':
      return each(part.downwardAPI?.items, at, (item) => [
        ...validateDownwardApiVolumeFile(item, at),
        ...conflict(asString(item.path), asString(item.path)),
      ]);
    case 'serviceAccountToken':
      return validateServiceAccountTokenProjection(asObject(part.serviceAccountToken), at, volume);
  }
}

/** Upstream reports the path under the volume. */
function validateServiceAccountTokenProjection(
  part: core.ServiceAccountTokenProjection,
  at: string,
  volume: string,
): FieldErrors {
  return [
    ...validateTokenExpiration(`${at}.expirationSeconds`, Number(part.expirationSeconds ?? 0)),
    ...validateLocalNonReservedPath(`${volume}.path`, asString(part.path)),
  ];
}

/** Indices of sources with a service account token. */
export const listTokenSources = (volume: core.Volume): readonly number[] =>
  asList(asObject(volume.projected).sources).flatMap((part, index) =>
    asObject(part).serviceAccountToken === undefined ? [] : [index],
  );
