import {
  validateRequiredFields,
  validateInRange,
  validateOptionalEnum,
  eachKey,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { invalidValue, notSupportedText, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type * as core from '../../types/generated/core-v1.ts';

// Volume sources with rules of their own. The file follows kubernetes pkg/apis/core/validation/validation.go.

export function validateFlockerVolumeSource(source: core.FlockerVolumeSource, path: string): FieldErrors {
  const [name, uuid] = [asString(source.datasetName), asString(source.datasetUUID)];
  return [
    ...errorIf(name === '' && uuid === '', () => required(path, 'one of datasetName and datasetUUID is required')),
    ...errorIf(name !== '' && uuid !== '', () =>
      invalidValue(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'),
    ),
    ...errorIf(name.includes('/'), () => invalidValue(`${path}.datasetName`, name, "must not contain '/'")),
  ];
}

export function validateQuobyteVolumeSource(source: core.QuobyteVolumeSource, path: string): FieldErrors {
  const text = 'must be a host:port pair or multiple pairs separated by commas';
  const registry = asString(source.registry);
  const pairs = registry.split(',').filter((pair) => !/^([^:[\]]*|\[[^[\]]*\]):[^:]*$/.test(pair));
  const isLong = asString(source.tenant).length >= 65;
  const registryErrors = (): FieldErrors =>
    isLong
      ? [required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters')]
      : pairs.map(() => invalidValue(`${path}.registry`, registry, text));
  return [
    ...(registry === '' ? [required(`${path}.registry`, text)] : registryErrors()),
    ...validateRequiredFields(source, path, 'volume'),
  ];
}

export function validateFcVolumeSource({ targetWWNs, wwids, lun }: core.FCVolumeSource, path: string): FieldErrors {
  const [names, ids] = [asList(targetWWNs), asList(wwids)];
  const at = `${path}.targetWWNs`;
  return [
    ...errorIf(names.length === 0 && ids.length === 0, () =>
      required(at, 'must specify either targetWWNs or wwids, but not both'),
    ),
    ...errorIf(names.length > 0 && ids.length > 0, () =>
      invalidValue(at, names, 'targetWWNs and wwids can not be specified simultaneously'),
    ),
    ...errorIf(names.length > 0 && lun === undefined, () =>
      required(`${path}.lun`, 'lun is required if targetWWNs is specified'),
    ),
    ...(names.length > 0 ? validateInRange(`${path}.lun`, lun, 0, 255) : []),
  ];
}

export function validateFlexVolumeSource(
  source: core.FlexVolumeSource | core.FlexPersistentVolumeSource,
  path: string,
): FieldErrors {
  const isReserved = (key: string): boolean =>
    /\.(kubernetes|k8s)\.io$/i.test(`.${key.split('/', 2).length === 2 ? key.split('/')[0] : key}`);
  return [
    ...validateRequiredFields(source, path, 'driver'),
    ...eachKey(asObject(source.options), (key) =>
      errorIf(isReserved(key), () =>
        invalidValue(`${path}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'),
      ),
    ),
  ];
}

export function validateAzureDisk(source: core.AzureDiskVolumeSource, path: string): FieldErrors {
  const { kind, cachingMode } = source;
  const uri = asString(source.diskURI);
  const [managed, blob] = [
    '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
    'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd',
  ];
  const at = `${path}.diskURI`;
  return [
    ...validateRequiredFields(source, path, 'diskName', 'diskURI'),
    ...validateOptionalEnum(`${path}.cachingMode`, cachingMode, ['None', 'ReadOnly', 'ReadWrite']),
    ...validateOptionalEnum(`${path}.kind`, kind, ['Dedicated', 'Managed', 'Shared']),
    ...errorIf(kind === 'Managed' && !uri.startsWith('/subscriptions/'), () => notSupportedText(at, uri, [managed])),
    ...errorIf(kind !== undefined && kind !== 'Managed' && !uri.startsWith('https://'), () =>
      notSupportedText(at, uri, [blob]),
    ),
  ];
}
