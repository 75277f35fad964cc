import { RE2JS } from 're2js';
import { invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asString } from '../../../machinery/json/json.ts';
import { inRange, when } from '../field-rules.ts';
import type { Complaints } from '../field-rules.ts';
import type { ISCSIPersistentVolumeSource, ISCSIVolumeSource } from '../../types/generated/core-v1.ts';

const formats: Readonly<Record<string, RegExp | RE2JS>> = {
  iqn: RE2JS.compile(String.raw`iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`),
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};

/** A target of iSCSI; PersistentVolumes say less of a strange prefix. Follows kubernetes pkg/apis/core/validation validateISCSIVolumeSource. */
export function iscsiErrors(
  source: ISCSIVolumeSource | ISCSIPersistentVolumeSource,
  path: string,
  strange = 'must be valid format starting with iqn, eui, or naa',
): Complaints {
  const named = (field: string, name: string): Complaints => {
    const format = formats[name.slice(0, 3)];
    if (!format) return [invalidValue(`${path}.${field}`, name, strange)];
    return when(!format.test(name), () => invalidValue(`${path}.${field}`, name, 'must be valid format'));
  };
  const [target, iqn] = [asString(source.targetPortal), asString(source.iqn)];
  const { lun = 0, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  const needsSecret = chapAuthDiscovery === true || chapAuthSession === true;
  return [
    ...when(target === '', () => required(`${path}.targetPortal`, '')),
    ...(iqn === '' ? [required(`${path}.iqn`, '')] : named('iqn', iqn)),
    ...inRange(`${path}.lun`, lun, 0, 255),
    ...when(needsSecret && secretRef === undefined, () => required(`${path}.secretRef`, '')),
    ...(initiatorName === undefined ? [] : named('initiatorname', asString(initiatorName))),
  ];
}
