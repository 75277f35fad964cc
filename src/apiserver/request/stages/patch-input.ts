import { invalidValue } from '../../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { failure, invalid } from '../../../machinery/meta/status.ts';
import type { Status } from '../../../machinery/meta/status.ts';
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

/** What Go's decoder says of a document without a kind. */
export const missingKind = (document: string): string => `Object 'Kind' is missing in '${document}'`;

/** The engine's own text never reaches the client (rule PATH-33). */
export const unappliable: Status = failure({
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
  details: {},
});
