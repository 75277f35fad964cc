import { forbiddenField, required } from '../../../machinery/meta/field-error.ts';
import { asObject, type JsonObject } from '../../../machinery/json/json.ts';
import type { ObjectMeta } from '../../../machinery/meta/object.ts';
import type { Complaints } from '../field-rules.ts';
import { validateLabels } from '../meta/labels.ts';
import { validateAnnotations } from '../meta/object-meta.ts';
import { validateClaimSpec } from './persistent-volume-claim.ts';
import type { PersistentVolumeClaimTemplate } from '../../types/generated/core-v1.ts';

/** Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimTemplate. */
export const claimTemplateErrors = (template: PersistentVolumeClaimTemplate | undefined, path: string): Complaints =>
  template === undefined
    ? [required(path, '')]
    : [
        ...templateMetaErrors(asObject(template.metadata), `${path}.metadata`),
        ...validateClaimSpec(asObject(template.spec), `${path}.spec`),
      ];

/** Only labels and annotations are allowed. Follows ValidateTemplateObjectMeta. */
export const templateMetaErrors = (metadata: ObjectMeta, path: string): Complaints => {
  const fields: JsonObject = metadata;
  return [
    ...validateAnnotations(asObject(metadata.annotations), `${path}.annotations`),
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...Object.keys(fields)
      .filter((field) => field !== 'annotations' && field !== 'labels' && fields[field] !== null)
      .map((field) => forbiddenField(`${path}.${field}`, 'cannot be set')),
  ];
};
