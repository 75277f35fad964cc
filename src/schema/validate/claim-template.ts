import { forbiddenField, required } from '../../apimachinery/field-error.ts';
import { asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { Complaints } from './field-rules.ts';
import { validateLabels } from './labels.ts';
import { validateAnnotations } from './object-meta.ts';
import { validateClaimSpec } from './persistent-volume-claim.ts';

/** The claim that an ephemeral volume makes. Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimTemplate. */
export const claimTemplateErrors = (template: JsonValue | undefined, path: string): Complaints =>
  template === undefined
    ? [required(path, '')]
    : [
        ...templateMetaErrors(asObject(asObject(template)['metadata']), `${path}.metadata`),
        ...validateClaimSpec(asObject(asObject(template)['spec']), `${path}.spec`),
      ];

/** Labels and annotations alone go over to the claim. Follows ValidateTemplateObjectMeta there. */
export const templateMetaErrors = (metadata: JsonObject, path: string): Complaints => {
  const annotations = Object.entries(asObject(metadata['annotations'])).map(([key, text]) => [key, asString(text)]);
  return [
    ...validateAnnotations(Object.fromEntries(annotations), `${path}.annotations`),
    ...validateLabels(metadata['labels'], `${path}.labels`),
    ...Object.keys(metadata)
      .filter((field) => field !== 'annotations' && field !== 'labels' && metadata[field] !== null)
      .map((field) => forbiddenField(`${path}.${field}`, 'cannot be set')),
  ];
};
