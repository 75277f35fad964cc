import { validateText, errorIf, type FieldErrors } from '../field-rules.ts';
import { forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import type { PersistentVolumeSpec } from '../../types/generated/core-v1.ts';
import type { VolumeAttachment } from '../../types/generated/storage-v1.ts';
import { validateCsiDriverName } from './csi.ts';
import { subdomainName, immutableText, validateCoreObjectMeta } from '../meta/object-meta.ts';
import { validateAccessModes } from '../core/persistent-volume-claim.ts';
import { validatePersistentVolumeSource } from '../core/persistent-volume.ts';

/** Follows kubernetes pkg/apis/storage/validation ValidateVolumeAttachment. */
export function validateVolumeAttachment(attachment: VolumeAttachment): FieldErrors {
  const { attacher, source, nodeName } = asObject(attachment.spec);
  const { inlineVolumeSpec, persistentVolumeName } = asObject(source);
  const volume = asString(persistentVolumeName);
  const text = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const [hasInline, isNamed] = [inlineVolumeSpec !== undefined, persistentVolumeName !== undefined];
  const empty = 'must specify non empty persistentVolumeName';
  return [
    ...validateCsiDriverName(asString(attacher), 'spec.attacher'),
    ...errorIf(!hasInline && !isNamed, () => required('spec.source', text)),
    ...errorIf(hasInline && isNamed, () => forbiddenField('spec.source', text)),
    ...errorIf(isNamed && !hasInline && volume === '', () => required('spec.source.persistentVolumeName', empty)),
    ...(inlineVolumeSpec !== undefined && !isNamed ? validateInlineVolumeSpec(asObject(inlineVolumeSpec)) : []),
    ...validateText(dns1123Subdomain, 'spec.nodeName', asString(nodeName)),
    ...(isNamed ? validateText(dns1123Subdomain, 'spec.source.persistentVolumeName', volume) : []),
  ];
}

export function validateVolumeAttachmentUpdate(
  attachment: VolumeAttachment,
  old: VolumeAttachment,
  subresource: string,
): FieldErrors {
  if (subresource === 'status') return [];
  return [
    ...validateCoreObjectMeta(metadataOf(attachment), false, subdomainName),
    ...validateVolumeAttachment(attachment),
    ...errorIf(!sameJson(attachment.spec, old.spec), () =>
      invalidValue('spec', toInternalForm('storage.VolumeAttachmentSpec', attachment.spec), immutableText),
    ),
  ];
}

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeSpec for an inline volume. */
function validateInlineVolumeSpec(spec: PersistentVolumeSpec): FieldErrors {
  const path = 'spec.source.inlineVolumeSpec';
  const modes = asList(spec.accessModes).map(asString);
  const { nodeAffinity, ...source } = spec;
  const { persistentVolumeReclaimPolicy: policy = '', storageClassName = '', volumeMode = 'Filesystem' } = spec;
  const outside = (field: string, isThere: boolean, text = 'may not be specified'): FieldErrors =>
    errorIf(isThere, () => forbiddenField(`${path}.${field}`, `${text} in the context of inline volumes`));
  return [
    ...outside('claimRef', spec.claimRef !== undefined),
    ...outside('capacity', Object.keys(asObject(spec.capacity)).length > 0),
    ...errorIf(spec.csi === undefined, () =>
      required(`${path}.csi`, 'has to be specified in the context of inline volumes'),
    ),
    ...errorIf(modes.length === 0, () => required(`${path}.accessModes`, '')),
    ...validateAccessModes(modes, `${path}.accessModes`),
    ...outside('persistentVolumeReclaimPolicy', policy !== '' && policy !== 'Retain', 'may only be Retain'),
    ...outside('nodeAffinity', nodeAffinity !== undefined),
    ...validatePersistentVolumeSource(source, '', path),
    ...outside('storageClassName', storageClassName !== ''),
    ...outside('volumeMode', volumeMode !== 'Filesystem', 'may not specify volumeMode other than Filesystem'),
  ];
}
