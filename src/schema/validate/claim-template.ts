import { required } from '../../apimachinery/field-error.ts';
import { asObject } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { Complaints } from './field-rules.ts';
import { validateClaimSpec } from './persistent-volume-claim.ts';

/** The claim that an ephemeral volume makes. Follows kubernetes pkg/apis/core/validation ValidatePersistentVolumeClaimTemplate. */
export const claimTemplateErrors = (template: JsonValue | undefined, path: string): Complaints =>
  template === undefined
    ? [required(path, '')]
    : validateClaimSpec(asObject(asObject(template)['spec']), `${path}.spec`);
