import { asObject, type JsonObject } from '../../src/machinery/json/json.ts';
import type { RecordedCall } from '../../src/testing/record-replay/pick-call.ts';

/** A traced call: a mutating webhook that allowed a new ConfigMap. */
export function tracedCall(changes: Partial<RecordedCall> = {}, version = 'v1'): RecordedCall {
  const apiVersion = `admission.k8s.io/${version}`;
  const kind = 'AdmissionReview';
  return {
    type: 'webhook',
    configuration: 'labels',
    name: 'team.example.com',
    phase: 'mutating',
    round: 0,
    index: 0,
    outcome: 'called',
    startedAt: 0,
    milliseconds: 1,
    timeoutMilliseconds: 9500,
    review: { kind, apiVersion, request: request() },
    answer: { kind, apiVersion, response: { uid: 'u-1', allowed: true } },
    ...changes,
  };
}

const request = (): JsonObject => ({
  uid: 'u-1',
  kind: { group: '', version: 'v1', kind: 'ConfigMap' },
  resource: { group: '', version: 'v1', resource: 'configmaps' },
  name: 'a',
  namespace: 'shop',
  operation: 'CREATE',
  object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', namespace: 'shop' } },
  oldObject: null,
});

/** The same call for an object of another kind. */
export function aboutKind(call: RecordedCall, kind: JsonObject, object: JsonObject): RecordedCall {
  const asked = asObject(call.review['request']);
  return { ...call, review: { ...call.review, request: { ...asked, kind, object } } };
}

export const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
