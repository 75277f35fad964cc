import { byKey } from '../../../machinery/go/strings.ts';
import { isJsonObject, type JsonDocument } from '../../../machinery/json/json.ts';
import { writeJsonForGo } from '../../../machinery/json/json-writer.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import type { AuditAnnotation } from '../chain/outcome.ts';
import type { AdmissionWebhook } from './read-webhooks.ts';

interface Invocation {
  readonly webhook: AdmissionWebhook;
  readonly round: 0 | 1;
  readonly index: number;
}

const invocationKey = ({ round, index }: Invocation): string => `round_${round}_index_${index}`;

export const mutationAnnotation = (invocation: Invocation, mutated: boolean): AuditAnnotation => ({
  key: `mutation.webhook.admission.k8s.io/${invocationKey(invocation)}`,
  value: writeJsonForGo({ configuration: invocation.webhook.configuration, webhook: invocation.webhook.name, mutated }),
  level: 'Metadata',
});

/** For every applied patch, members in alphabetical order (rule MUT-31). */
export const patchAnnotation = (invocation: Invocation, operations: readonly JsonDocument[]): AuditAnnotation => ({
  key: `patch.webhook.admission.k8s.io/${invocationKey(invocation)}`,
  value: writeJsonForGo({
    configuration: invocation.webhook.configuration,
    webhook: invocation.webhook.name,
    patch: operations.map(sortMembers),
    patchType: 'JSONPatch',
  }),
  level: 'Request',
});

/** Follows apiserver pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go (rule FAIL-11). */
export const failedOpenAnnotation = (invocation: Invocation, phase: 'mutation' | 'validating'): AuditAnnotation => ({
  key: `failed-open.${phase}.webhook.admission.k8s.io/${invocationKey(invocation)}`,
  value: invocation.webhook.name,
  level: 'Metadata',
});

/** The webhook's own annotations; unqualified keys are dropped (rules RSP-30, RSP-31). */
export const ownAnnotations = (
  { name }: AdmissionWebhook,
  annotations: Readonly<Record<string, string>>,
): readonly AuditAnnotation[] =>
  Object.keys(annotations).flatMap((own): readonly AuditAnnotation[] => {
    const [key, value = ''] = [`${name}/${own}`, annotations[own]];
    return qualifiedNameErrors(key).length > 0 ? [] : [{ key, value, level: 'Metadata' }];
  });

/** The first value of every key (rule MUT-32). */
export function firstOfEachKey(annotations: readonly AuditAnnotation[]): readonly AuditAnnotation[] {
  const first = new Map<string, AuditAnnotation>();
  for (const annotation of annotations) if (!first.has(annotation.key)) first.set(annotation.key, annotation);
  return [...first.values()];
}

const sortMembers = (operation: JsonDocument): JsonDocument =>
  isJsonObject(operation) ? Object.fromEntries(Object.entries(operation).toSorted(byKey)) : operation;
