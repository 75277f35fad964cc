import type { JsonObject, JsonValue } from '../json/json.ts';
import type { ObjectMeta } from './object.ts';

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

/** The stored value, or the default. */
export const failurePolicyOf = ({ failurePolicy }: WebhookEntry): WebhookFieldValues['failurePolicy'] =>
  failurePolicy === 'Ignore' ? 'Ignore' : webhookFields.failurePolicy.default;

/** The stored value, or the default. */
export const matchPolicyOf = ({ matchPolicy }: WebhookEntry): WebhookFieldValues['matchPolicy'] =>
  matchPolicy === 'Exact' ? 'Exact' : webhookFields.matchPolicy.default;

/** The stored value, or the default; policies have the field too. */
export const reinvocationPolicyOf = ({ reinvocationPolicy }: WebhookEntry): WebhookFieldValues['reinvocationPolicy'] =>
  reinvocationPolicy === 'IfNeeded' ? 'IfNeeded' : webhookFields.reinvocationPolicy.default;

/** The stored value, or the default. */
export const timeoutSecondsOf = ({ timeoutSeconds }: WebhookEntry): number =>
  typeof timeoutSeconds === 'number' ? timeoutSeconds : webhookFields.timeoutSeconds.default;

/** A field of `webhooks[]`: its values, its default, and its purpose. */
export type WebhookField = {
  readonly description: string;
  /** In v1; nothing is filled in without one. */
  readonly default?: JsonValue;
  /** In v1beta1, if different. */
  readonly formerDefault?: JsonValue;
  /** Validating webhooks have no such field. */
  readonly isOfMutatingOnly?: true;
} & (
  | { readonly type: 'choice'; readonly values: readonly string[]; readonly formerValues?: readonly string[] }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'selector' | 'conditions' }
  | { readonly type: 'names'; readonly example: string }
);

/**
 * The fields that a webhook has besides its name, clientConfig and rules, in one place: defaults, validation, scenarios,
 * the library and `lint` read them here. Values are in the order in which the API lists them.
 * Follows k8s.io/api admissionregistration v1 and v1beta1 types.go, and kubernetes' defaults.go of both.
 */
export const webhookFields = {
  failurePolicy: {
    type: 'choice',
    description: 'The effect of a failed call.',
    values: ['Fail', 'Ignore'],
    default: 'Fail',
    formerDefault: 'Ignore',
  },
  matchPolicy: {
    type: 'choice',
    description: 'Whether the rules also match other versions of the object.',
    values: ['Equivalent', 'Exact'],
    default: 'Equivalent',
    formerDefault: 'Exact',
  },
  timeoutSeconds: {
    type: 'integer',
    description: 'The timeout of a call in seconds.',
    minimum: 1,
    maximum: 30,
    default: 10,
    formerDefault: 30,
  },
  reinvocationPolicy: {
    type: 'choice',
    description: 'Whether a mutating webhook is called again when a later one changed the object.',
    values: ['IfNeeded', 'Never'],
    default: 'Never',
    isOfMutatingOnly: true,
  },
  sideEffects: {
    type: 'choice',
    description: 'Its side effects. The API refuses Some and Unknown.',
    values: ['None', 'NoneOnDryRun'],
    formerValues: ['Some', 'Unknown'],
  },
  admissionReviewVersions: {
    type: 'names',
    description: 'The versions of AdmissionReview that it supports, preferred ones first.',
    example: 'v1',
  },
  namespaceSelector: {
    type: 'selector',
    description: 'Only requests in namespaces with these labels.',
    default: {},
  },
  objectSelector: { type: 'selector', description: 'Only objects with these labels.', default: {} },
  matchConditions: { type: 'conditions', description: 'CEL expressions that must all be true.' },
} as const satisfies Readonly<Record<string, WebhookField>>;

type Fields = typeof webhookFields;

type ValueOf<Field> = Field extends { readonly values: readonly (infer Value)[] }
  ? Value | (Field extends { readonly formerValues: readonly (infer Former)[] } ? Former : never)
  : Field extends { readonly type: 'integer' }
    ? number
    : Field extends { readonly type: 'names' }
      ? readonly string[]
      : Field extends { readonly type: 'conditions' }
        ? readonly { readonly name: string; readonly expression: string }[]
        : object;

/** The values of a webhook's fields as written in a manifest. */
export type WebhookFieldValues = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

export const webhookFieldEntries: readonly (readonly [name: string, field: WebhookField])[] =
  Object.entries<WebhookField>(webhookFields);

/** What the API fills in for a webhook of this kind. */
export const webhookDefaults = (phase: 'mutating' | 'validating'): JsonObject =>
  collectDefaults(phase, (field) => field.default);

/** The same in v1beta1. */
export const formerWebhookDefaults = (phase: 'mutating' | 'validating'): JsonObject =>
  collectDefaults(phase, (field) => field.formerDefault ?? field.default);

const collectDefaults = (
  phase: 'mutating' | 'validating',
  valueOf: (field: WebhookField) => JsonValue | undefined,
): JsonObject =>
  Object.fromEntries(
    webhookFieldEntries
      .filter(([, field]) => phase === 'mutating' || field.isOfMutatingOnly === undefined)
      .flatMap(([name, field]) => {
        const value = valueOf(field);
        return value === undefined ? [] : [[name, value] as const];
      }),
  );
