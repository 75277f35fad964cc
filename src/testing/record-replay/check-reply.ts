import { applyWebhookPatch } from '../../apiserver/admission/webhooks/apply-patch.ts';
import { readReply } from '../../apiserver/admission/webhooks/call-and-decode.ts';
import type { CallReply } from '../../apiserver/admission/webhooks/call.ts';
import { failedCalling } from '../../apiserver/admission/webhooks/failure-policy.ts';
import type { ParseYaml } from '../../apiserver/admission/webhooks/read-review.ts';
import { denialStatus, type WebhookVerdict } from '../../apiserver/admission/webhooks/verdict.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { plainValue } from '../../machinery/json/json-reader.ts';
import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { asKubernetesObject } from '../../machinery/meta/object.ts';
import type { Codec } from '../../api/codec/codec.ts';
import { defaultRelease } from '../../api/release/load-release.ts';
import type { RecordedCall } from './pick-call.ts';

/** The server's verdict on a response. Fields without a value are empty. */
export interface ReplyVerdict {
  readonly outcome: 'allowed' | 'denied' | 'failed';
  /** Of a denial: the Status that the client receives. */
  readonly status: JsonObject | null;
  /** Of a failure: the text behind `Internal error occurred: `. */
  readonly error: string;
  readonly patch: readonly JsonValue[];
  /** After the patch, defaulted; the sent object without a patch. */
  readonly object: JsonValue;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** A failure keeps its recorded text: the trace has no bytes of the response. */
export async function checkRecorded(call: RecordedCall, parseYaml: ParseYaml): Promise<ReplyVerdict> {
  const hasFailed = call.outcome === 'failed-open' || call.outcome === 'failed-closed';
  if (!isJsonObject(call.answer) || (hasFailed && call.failurePhase === 'decode')) {
    return failure(call, call.error ?? 'there was no answer');
  }
  const body = new TextEncoder().encode(JSON.stringify(call.answer));
  return checkReply({ outcome: 'answered', code: 200, contentType: 'application/json', body }, call, parseYaml);
}

export async function checkReply(reply: CallReply, call: RecordedCall, parseYaml: ParseYaml): Promise<ReplyVerdict> {
  const { name, phase, review } = call;
  const uid = asString(requestIn(call)['uid']);
  const version = asString(review['apiVersion']) === 'admission.k8s.io/v1beta1' ? 'v1beta1' : 'v1';
  const answer = await readReply(reply, blankCall(uid), { uid, version, phase }, { parseYaml });
  switch (answer.outcome) {
    case 'failed':
      return failure(call, failedCalling(name, answer.failure.reason));
    case 'refused':
      return failure(call, answer.status.message ?? '');
    case 'answered': {
      const { warnings, auditAnnotations } = answer.verdict;
      return { ...emptyVerdict(call), ...applyVerdict(answer.verdict, call), warnings, auditAnnotations };
    }
  }
}

const requestIn = ({ review }: RecordedCall): JsonObject => asObject(review['request']);

const failure = (call: RecordedCall, error: string): ReplyVerdict => ({
  ...emptyVerdict(call),
  outcome: 'failed',
  error,
});

const emptyVerdict = (call: RecordedCall): ReplyVerdict => ({
  outcome: 'allowed',
  status: null,
  error: '',
  patch: [],
  object: requestIn(call)['object'] ?? null,
  warnings: [],
  auditAnnotations: {},
});

const noKind = { group: '', version: '', kind: '' };

const blankCall = (uid: string) => ({
  matched: { kind: noKind, resource: { group: '', version: '', resource: '' }, rule: 0 },
  uid,
  request: null,
  response: undefined,
  warnings: [],
  auditAnnotations: {},
});

function applyVerdict(
  verdict: WebhookVerdict,
  call: RecordedCall,
): Pick<ReplyVerdict, 'outcome'> & Partial<Pick<ReplyVerdict, 'status' | 'error' | 'patch' | 'object'>> {
  if (!verdict.allowed) return { outcome: 'denied', status: denialStatus(call.name, verdict.status) };
  const request = requestIn(call);
  const kind = requestKind(request);
  const object = asKubernetesObject(asObject(request['object'])) ?? null;
  const view = {
    object,
    operation: request['operation'] === 'CREATE' ? 'CREATE' : 'UPDATE',
    subresource: '',
    ...(catalogue.forKind(kind) ? {} : { codec }),
  } as const;
  const patched = applyWebhookPatch(call.name, verdict, { view, kind }, { codec, catalogue });
  switch (patched.outcome) {
    case 'no-patch':
      return { outcome: 'allowed' };
    case 'failed':
      return { outcome: 'failed', error: failedCalling(call.name, patched.failure.reason) };
    case 'refused':
      return { outcome: 'failed', error: failedCalling(call.name, patched.error) };
    case 'patched':
      return { outcome: 'allowed', patch: patched.operations.map(plainValue), object: patched.object };
  }
}

const requestKind = (request: JsonObject): GroupVersionKind => {
  const { group, version, kind } = asObject(request['kind']);
  return { group: asString(group), version: asString(version), kind: asString(kind) };
};

const catalogue = defaultRelease.createCatalogue();
const builtin = defaultRelease.codec;

/** A custom resource is not defaulted: its schema is on the server. */
const codec: Codec = {
  ...builtin,
  decodeValue: (value, kind) => {
    const object = catalogue.forKind(kind) ? undefined : asKubernetesObject(asObject(plainValue(value)));
    return object ? { outcome: 'decoded', object, strict: [] } : builtin.decodeValue(value, kind);
  },
};
