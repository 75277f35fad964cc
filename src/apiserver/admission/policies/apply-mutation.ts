import { bigintAsText } from '../../../machinery/json/json-writer.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { decodePatch } from '../../../machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../../machinery/patch/json-patch.ts';
import { type GroupVersionKind, sameGvk } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { internalError, plainError, type Status } from '../../../machinery/meta/status.ts';
import type { Value } from '../../../cel/vocabulary.ts';
import { type AdmissionAttributes, isCustom } from '../chain/attributes.ts';
import type { Codec } from '../../../api/codec/codec.ts';
import { decodeRestored, formatRestoreError } from '../../../api/codec/patch/decode-restored.ts';
import { decodePatched } from '../chain/decode-patched.ts';
import { truncateManagedFieldsTimes } from '../chain/managed-fields-times.ts';
import { expressionError, outOfBudget } from '../matching/expressions.ts';
import { policyBudget } from './evaluate-policy.ts';
import { policyVariables, type PolicyView } from './policy-variables.ts';
import type { Invocation } from './select.ts';
import type { Mutation } from './policy.ts';
import type { PolicyPorts } from './validate-with-policies.ts';

export interface MutationPorts extends PolicyPorts {
  /** Merges an apply configuration; the error is complete. */
  readonly mergeConfiguration: (live: KubernetesObject, configuration: JsonObject) => MergeOutcome;
}

export type MergeOutcome =
  | { readonly outcome: 'merged'; readonly object: JsonValue }
  | { readonly outcome: 'failed'; readonly error: string };

export type MutationOutcome =
  /** Decoded and defaulted; the same object if a JSON patch `test` failed. */
  | { readonly outcome: 'mutated'; readonly object: KubernetesObject }
  | { readonly outcome: 'failed'; readonly error: string }
  /** failurePolicy is ignored (rule MAP-7). */
  | { readonly outcome: 'refused'; readonly status: Status };

/** The view, of an existing object. */
export interface MutationView extends PolicyView {
  readonly object: KubernetesObject;
}

/** Follows apiserver pkg/admission/plugin/policy/mutating/dispatcher.go dispatchOne (rules MAP-4 to MAP-6, MAP-9). */
export function applyMutation(
  mutation: Mutation,
  invocation: Invocation,
  at: MutationView,
  ports: MutationPorts,
): MutationOutcome {
  const value = evaluate(mutation, invocation, at, ports);
  if ('error' in value) return { outcome: 'failed', error: value.error };
  const patch = mutation.patchType === 'JSONPatch' ? applyJsonPatchOperations : applyConfigurationPatch;
  const patched = patch(value.value, at, ports);
  if (patched.outcome !== 'patched') return patched;
  if (!isCustom(at.view) && !sameGvk(at.as.kind, at.view.kind)) {
    return { outcome: 'failed', error: unknownConversion(at.as.kind, at.view.kind) };
  }
  const object = codecOf(at.view, ports).setDefaults(patched.object);
  return { outcome: 'mutated', object: patched.object === at.object ? object : truncateManagedFieldsTimes(object) };
}

/** Each mutation has its own budget and variables. */
function evaluate(
  { patchType, expression }: Mutation,
  { policy }: Invocation,
  at: MutationView,
  { expressions, programOf }: MutationPorts,
): { readonly value: Value } | { readonly error: string } {
  const program = programOf(policy);
  const run = expressions.evaluator(policyVariables(at, 'authorizer'), program.variables(), at.onVariable);
  const result = run(program.compile(expression, patchType), policyBudget);
  if (result.outcome === 'value') return result;
  return { error: result.outcome === 'out-of-budget' ? outOfBudget : expressionError(expression, result) };
}

type Patched =
  | { readonly outcome: 'patched'; readonly object: KubernetesObject }
  | Exclude<MutationOutcome, { readonly outcome: 'mutated' }>;

const codecOf = ({ codec }: AdmissionAttributes, ports: MutationPorts): Codec => codec ?? ports.codec;

function applyConfigurationPatch(value: Value, { object, as, view }: MutationView, ports: MutationPorts): Patched {
  const configuration = ports.expressions.toApplyConfiguration(value);
  if (configuration.outcome === 'error') return { outcome: 'failed', error: configuration.error };
  const merging = ports.mergeConfiguration(object, configuration.value);
  if (merging.outcome === 'failed') return merging;
  const decoded = decodeRestored(codecOf(view, ports), merging.object, as.kind);
  return decoded.outcome === 'decoded'
    ? { outcome: 'patched', object: decoded.object }
    : { outcome: 'failed', error: formatRestoreError(as.kind, decoded.error) };
}

/** Follows apiserver pkg/admission/plugin/policy/mutating/patch/json_patch.go (rule MAP-5). */
function applyJsonPatchOperations(value: Value, { object, as, view }: MutationView, ports: MutationPorts): Patched {
  const operations = ports.expressions.toJsonPatchOperations(value);
  if (operations.outcome === 'error') return { outcome: 'failed', error: operations.error };
  const text = jsonText(operations.value);
  const patch = decodePatch(text);
  if (patch.outcome === 'undecodable') return { outcome: 'failed', error: `JSON Patch: ${patch.error}` };
  const patched = applyJsonPatch(object, patch.patch);
  if (patched.outcome === 'panicked') return { outcome: 'refused', status: plainError(patched.value) };
  if (patched.outcome === 'failed') {
    return patched.isTest
      ? { outcome: 'patched', object }
      : { outcome: 'failed', error: `JSON Patch: ${patched.error}` };
  }
  const codec = codecOf(view, ports);
  const decoded = decodePatched(patched.document, as.kind, view, { ...ports, codec });
  if (decoded.outcome === 'undecodable') return { outcome: 'refused', status: internalError(decoded.error) };
  if (decoded.strict.length === 0) return { outcome: 'patched', object: decoded.object };
  return { outcome: 'refused', status: internalError(`strict decoding error: ${decoded.strict.join(', ')}`) };
}

/** Integers beyond the safe range become strings. */
const jsonText = (operations: readonly JsonObject[]): string => JSON.stringify(operations, bigintAsText);

/** Upstream converts only through its internal version, which is not used here. */
function unknownConversion(from: GroupVersionKind, to: GroupVersionKind): string {
  return `converting (${from.version}.${from.kind}) to (${to.version}.${to.kind}): unknown conversion`;
}
