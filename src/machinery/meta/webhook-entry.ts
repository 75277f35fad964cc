import type { JsonValue } from '../json/json.ts';
import type { ObjectMeta } from './object.ts';
import { webhookFields } from './webhook-fields.ts';
import type { WebhookFieldValues } from './webhook-fields.ts';

/** The fields of an entry of `webhooks`, under the names of the API. */
export type WebhookEntryField = 'name' | 'clientConfig' | 'rules' | keyof WebhookFieldValues;

/** An entry of `webhooks` in a configuration: a misspelt field cannot be read from it. */
export type WebhookEntry = { readonly [Field in WebhookEntryField]?: JsonValue };

/** A Mutating- or ValidatingWebhookConfiguration. */
export type WebhookConfiguration = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata?: ObjectMeta;
  readonly webhooks?: readonly WebhookEntry[];
};

/** What a stored webhook says of it, or the default. */
export const failurePolicyOf = ({ failurePolicy }: WebhookEntry): WebhookFieldValues['failurePolicy'] =>
  failurePolicy === 'Ignore' ? 'Ignore' : webhookFields.failurePolicy.default;

/** What a stored webhook says of it, or the default. */
export const matchPolicyOf = ({ matchPolicy }: WebhookEntry): WebhookFieldValues['matchPolicy'] =>
  matchPolicy === 'Exact' ? 'Exact' : webhookFields.matchPolicy.default;

/** What a stored webhook says of it, or the default; policies have the field too. */
export const reinvocationPolicyOf = ({ reinvocationPolicy }: WebhookEntry): WebhookFieldValues['reinvocationPolicy'] =>
  reinvocationPolicy === 'IfNeeded' ? 'IfNeeded' : webhookFields.reinvocationPolicy.default;

/** What a stored webhook says of it, or the default. */
export const timeoutSecondsOf = ({ timeoutSeconds }: WebhookEntry): number =>
  typeof timeoutSeconds === 'number' ? timeoutSeconds : webhookFields.timeoutSeconds.default;
