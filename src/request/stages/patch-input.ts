import { invalidValue } from '../../apimachinery/field-error.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { invalid } from '../../apimachinery/status.ts';
import type { Status } from '../../apimachinery/status.ts';
import type { Exchange } from '../exchange.ts';

/** The object to patch and the text of the patch. */
export interface PatchInput {
  readonly live: KubernetesObject;
  readonly text: string;
}

/** Whether unknown and repeated members of the patch itself are of interest. */
export const isChecked = (exchange: Exchange): boolean => exchange.options.fieldValidation !== 'Ignore';

/** ` "" is invalid: patch: …`: the Status names no kind and no object. */
export const undecodable = (value: string, error: string): Status =>
  invalid({ group: '', kind: '' }, '', [invalidValue('patch', value, error)]);
