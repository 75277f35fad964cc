import { asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { answerConversion } from './answer-conversion.ts';
import type { Corrupt } from './plan-response.ts';
import { encodeBase64, respondToReview } from './stub.ts';
import type { WebhookSpec } from './webhook-spec.ts';

export interface StubReply {
  readonly code: number;
  readonly contentType: string;
  readonly body: string;
}

/** undefined for other bodies. */
export function readReviewBody(body: string): JsonObject | undefined {
  const reading = readJson(body);
  if (reading.outcome === 'unreadable') return undefined;
  const value = plainValue(reading.json.value);
  return isJsonObject(value) && isJsonObject(value['request']) ? value : undefined;
}

/** In the review's version. `spoil` makes it invalid. */
export async function replyTo(spec: WebhookSpec, review: JsonObject, corrupt: Corrupt | undefined): Promise<StubReply> {
  const isConversion = review['kind'] === 'ConversionReview';
  const answer = await (isConversion ? answerConversion : respondToReview)(spec.does, review);
  if (answer.outcome === 'failed') return failedReply(500, answer.error);
  const version = asString(review['apiVersion']) || 'admission.k8s.io/v1';
  const kind = isConversion ? 'ConversionReview' : 'AdmissionReview';
  const validReview = { kind, apiVersion: version, response: answer.response };
  return {
    code: 200,
    contentType: 'application/json',
    body: writeJson(corrupt ? corruptReview(validReview, corrupt) : validReview),
  };
}

/** As Go's http.Error writes it. */
export const failedReply = (code: number, message: string): StubReply => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  body: `${message}\n`,
});

function corruptReview(review: JsonObject, corrupt: Corrupt): JsonObject {
  const response = asObject(review['response']);
  switch (corrupt) {
    case 'wrong-uid':
      return { ...review, response: { ...response, uid: '00000000-0000-0000-0000-000000000000' } };
    case 'wrong-version': {
      const [group = '', version] = asString(review['apiVersion']).split('/');
      return { ...review, apiVersion: `${group}/${version === 'v1' ? 'v1beta1' : 'v1'}` };
    }
    case 'bad-patch': {
      const patch = [{ op: 'replace', path: '/no/such/field', value: null }];
      const { uid } = response;
      return {
        ...review,
        response: { uid, allowed: true, patchType: 'JSONPatch', patch: encodeBase64(writeJson(patch)) },
      };
    }
  }
}
