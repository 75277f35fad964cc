import {
  validateLocalDescendingPath,
  validateEnum,
  each,
  noErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { fieldNotFound, forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type { Container, Volume, VolumeMount } from '../../types/generated/core-v1.ts';

export type Volumes = ReadonlyMap<string, Volume>;

/** Follows kubernetes pkg/apis/core/validation ValidateVolumeMounts. */
export function validateVolumeMounts(container: Container, volumes: Volumes, path: string): FieldErrors {
  if (container.volumeMounts === undefined) return noErrors;
  const devices = asList(container.volumeDevices);
  const mountPaths = new Set<string>();
  return each(container.volumeMounts, path, (mount, at) => {
    const [name, mountPath] = [asString(mount.name), asString(mount.mountPath)];
    const isRepeated = isDuplicate(mountPaths, mountPath);
    return [
      ...errorIf(name === '', () => required(`${at}.name`, '')),
      ...errorIf(!volumes.has(name), () => fieldNotFound(`${at}.name`, name)),
      ...errorIf(mountPath === '', () => required(`${at}.mountPath`, '')),
      ...errorIf(isRepeated, () => invalidValue(`${at}.mountPath`, mountPath, 'must be unique')),
      ...errorIf(
        devices.some((device) => device.name === name),
        () => invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices'),
      ),
      ...errorIf(
        devices.some((device) => device.devicePath === mountPath),
        () => invalidValue(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'),
      ),
      ...validateSubPaths(mount, at, path),
      ...validateMountPropagation(mount, container, path),
      ...validateMountRecursiveReadOnly(mount, path),
    ];
  });
}

/** Some errors name the list, as upstream does. */
function validateSubPaths(mount: VolumeMount, at: string, listPath: string): FieldErrors {
  if (mount.subPath === undefined && mount.subPathExpr === undefined) return noErrors;
  const [subPath, subPathExpr] = [asString(mount.subPath), asString(mount.subPathExpr)];
  return [
    ...(subPath === '' ? [] : validateLocalDescendingPath(`${listPath}.subPath`, subPath)),
    ...errorIf(subPath !== '' && subPathExpr !== '', () =>
      invalidValue(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'),
    ),
    ...(subPathExpr === '' ? [] : validateLocalDescendingPath(`${listPath}.subPathExpr`, subPathExpr)),
  ];
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

function validateMountPropagation({ mountPropagation }: VolumeMount, container: Container, path: string): FieldErrors {
  if (mountPropagation === undefined) return noErrors;
  const mode = asString(mountPropagation);
  const isPrivileged = asObject(container.securityContext).privileged === true;
  return [
    ...validateEnum(`${path}.mountPropagation`, mode, propagations),
    ...errorIf(mode === 'Bidirectional' && !isPrivileged, () =>
      forbiddenField(
        `${path}.mountPropagation`,
        'Bidirectional mount propagation is available only to privileged containers',
      ),
    ),
  ];
}

function validateMountRecursiveReadOnly(mount: VolumeMount, path: string): FieldErrors {
  const { recursiveReadOnly, readOnly, mountPropagation } = mount;
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return noErrors;
  const field = `${path}.recursiveReadOnly`;
  const errors = validateEnum(field, asString(recursiveReadOnly), ['Disabled', 'Enabled', 'IfPossible']);
  if (errors.length > 0) return errors;
  return [
    ...errorIf(readOnly !== true, () => forbiddenField(field, 'may only be specified when readOnly is true')),
    ...errorIf(mountPropagation !== undefined && mountPropagation !== 'None', () =>
      forbiddenField(field, 'may only be specified when mountPropagation is None or not specified'),
    ),
  ];
}

/** Follows kubernetes pkg/apis/core/validation ValidateVolumeDevices. */
export function validateVolumeDevices(container: Container, volumes: Volumes, path: string): FieldErrors {
  if (container.volumeDevices === undefined) return noErrors;
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = asList(container.volumeMounts);
  const [mountNames, mountPaths] = (['name', 'mountPath'] as const).map(
    (field) => new Set(mounts.map((mount) => asString(mount[field]))),
  );
  return each(container.volumeDevices, path, (device, at) => {
    const [name, devicePath] = [asString(device.name), asString(device.devicePath)];
    const volume = volumes.get(name);
    const isClaim = volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined;
    const nameRepeated = name !== '' && isDuplicate(names, name);
    const pathRepeated = isDuplicate(paths, devicePath);
    return [
      ...errorIf(name === '', () => required(`${at}.name`, '')),
      ...errorIf(nameRepeated, () => invalidValue(`${at}.name`, name, 'must be unique')),
      ...errorIf(volume !== undefined && !isClaim, () =>
        invalidValue(
          `${at}.name`,
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      ),
      ...errorIf(volume === undefined, () => fieldNotFound(`${at}.name`, name)),
      ...errorIf(devicePath === '', () => required(`${at}.devicePath`, '')),
      ...errorIf(pathRepeated, () => invalidValue(`${at}.devicePath`, devicePath, 'must be unique')),
      ...errorIf(devicePath.split('/').includes('..'), () =>
        invalidValue(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"),
      ),
      ...errorIf(mountNames?.has(name) === true, () =>
        invalidValue(`${at}.name`, name, 'must not already exist in volumeMounts'),
      ),
      ...errorIf(mountPaths?.has(devicePath) === true, () =>
        invalidValue(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'),
      ),
    ];
  });
}
