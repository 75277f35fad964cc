import { goQuote } from '../../../machinery/meta/field-error.ts';
import type { GroupVersionKind } from '../../../machinery/meta/gvk.ts';
import { decodePatch } from '../../../machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../../machinery/patch/json-patch.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { hasTooManyValues, maxBodyValues } from '../../../machinery/json/body-limits.ts';
import type { JsonDocument } from '../../../machinery/json/json.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { internalError, plainError, type Status } from '../../../machinery/meta/status.ts';
import type { Catalogue } from '../../../api/types/catalogue/catalogue.ts';
import type { Codec } from '../../../api/codec/codec.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { decodePatched, type PatchedView } from '../chain/decode-patched.ts';
import type { FailureCause } from './call.ts';
import type { CallFailure } from './failure-policy.ts';
import type { WebhookVerdict } from './verdict.ts';

export type PatchResult =
  | { readonly outcome: 'no-patch' }
  | {
      readonly outcome: 'patched';
      /** Decoded again and defaulted (rule MUT-15). */
      readonly object: KubernetesObject;
      /** Before defaulting (rule MUT-14). */
      readonly changed: boolean;
      readonly operations: readonly JsonDocument[];
    }
  | { readonly outcome: 'failed'; readonly failure: CallFailure }
  /** failurePolicy is ignored (rules FAIL-21 to FAIL-23). */
  | {
      readonly outcome: 'refused';
      readonly error: string;
      readonly cause?: FailureCause;
      readonly status: Status;
    };

/** The printed object; none for a DELETE. */
export interface Patchable {
  readonly view: PatchedView & Pick<AdmissionAttributes, 'object'>;
  readonly kind: GroupVersionKind;
}

export interface PatchPorts {
  readonly codec: Codec;
  readonly catalogue: Catalogue;
}

/**
 * Patches the JSON, decodes it leniently, defaults it. Follows apiserver
 * pkg/admission/plugin/webhook/mutating/dispatcher.go (rules MUT-10 to MUT-15, FAIL-21 to FAIL-23).
 */
export function applyWebhookPatch(
  webhookName: string,
  { patch, patchType }: WebhookVerdict,
  { view, kind }: Patchable,
  ports: PatchPorts,
): PatchResult {
  const { object } = view;
  if (patch === '') return { outcome: 'no-patch' };
  if (hasTooMany(patch)) return undecodable(tooManyValues);
  const decoded = decodePatch(patch);
  if (decoded.outcome === 'undecodable') return unreadable(decoded.error, ports);
  if (decoded.patch.operations.length === 0) return { outcome: 'no-patch' };
  if (object === null) return refused(notSupported(webhookName));
  if (patchType !== 'JSONPatch') return unsupported(patchType);
  const patched = applyJsonPatch(object, decoded.patch);
  if (patched.outcome === 'failed') {
    return refused(patched.error, { because: patched.isTest ? 'test-failed' : 'operation-failed' });
  }
  if (patched.outcome === 'panicked') return { outcome: 'refused', error: patched.value, status: plainError(panic) };
  const result = decodePatched(patched.document, kind, view, ports);
  if (result.outcome === 'undecodable') return refused(result.error, { because: 'result-undecodable' });
  const defaulted = ports.codec.setDefaults(result.object);
  return {
    outcome: 'patched',
    object: defaulted,
    changed: !semanticEqual(object, ports.codec.printed(result.object)),
    operations: operationsOf(patch),
  };
}

/** Before 1.34 an internal error despite failurePolicy: dispatcher.go of 1.33 and 1.34. */
const unreadable = (error: string, { codec }: PatchPorts): PatchResult =>
  codec.types.minor < 34 ? refused(error) : undecodable(error);

function hasTooMany(patch: string): boolean {
  const bytes = new TextEncoder().encode(patch);
  return hasTooManyValues(bytes);
}

/** Upstream's plain-text response (rule FAIL-31). */
const panic = 'This request caused apiserver to panic. Look in the logs for details.';

const tooManyValues = `kadmit takes at most ${maxBodyValues} values in a webhook's patch`;

const undecodable = (error: string): PatchResult => ({
  outcome: 'failed',
  failure: {
    phase: 'patch',
    reason: `received undecodable patch in webhook response: ${error}`,
    cause: { because: 'patch-undecodable' },
  },
});

const unsupported = (patchType: string): PatchResult => ({
  outcome: 'failed',
  failure: { phase: 'patch', reason: `unsupported patch type ${goQuote(patchType)}`, countedAs: 400 },
});

const refused = (error: string, cause?: FailureCause): PatchResult => ({
  outcome: 'refused',
  error,
  ...(cause && { cause }),
  status: internalError(error),
});

const notSupported = (webhookName: string): string =>
  `admission webhook "${webhookName}" attempted to modify the object, which is not supported for this operation`;

/** Operations as written. */
function operationsOf(patch: string): readonly JsonDocument[] {
  const reading = readJson(patch);
  return reading.outcome === 'read' && Array.isArray(reading.json.value) ? reading.json.value : [];
}
