import { errorText } from '../../machinery/errors.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { toJsonValue } from './script-answer.ts';
import type { StubAnswer } from './stub.ts';
import type { Behaviour, ReviewFunction } from './webhook-spec.ts';

/** Name of the stub that converts for a definition. */
export const converterName = (definition: string): string => `conversion_webhook_for_${definition}`;

/** `spec.conversion` of a definition whose stub converts. */
export const conversionBy = (definition: string): JsonObject => ({
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { namespace: 'default', name: 'converters', path: `/${definition}` } },
    conversionReviewVersions: ['v1'],
  },
});

/**
 * Without a script, changes the apiVersion only. Never throws. Follows apiextensions-apiserver pkg/apis/apiextensions/v1/types.go
 * ConversionResponse.
 */
export async function answerConversion(does: readonly Behaviour[], review: JsonObject): Promise<StubAnswer> {
  const { uid, desiredAPIVersion, objects } = asObject(review['request']);
  const answered = (response: JsonObject): StubAnswer => ({
    outcome: 'answered',
    response: { uid: asString(uid), result: { status: 'Success' }, ...response },
  });
  const denial = does.find((one) => one.type === 'deny');
  if (denial) return answered({ convertedObjects: [], result: { status: 'Failure', message: denial.message ?? '' } });
  const script = does.find((one) => one.type === 'script');
  if (script) return answerByScript(script.run, review, answered);
  const apiVersion = asString(desiredAPIVersion);
  return answered({ convertedObjects: asList(objects).map((object) => ({ ...asObject(object), apiVersion })) });
}

const expectedReturn = 'return the list of converted objects, or the response of the ConversionReview';

async function answerByScript(
  run: ReviewFunction,
  review: JsonObject,
  answered: (response: JsonObject) => StubAnswer,
): Promise<StubAnswer> {
  let answer: JsonValue | undefined;
  try {
    answer = toJsonValue(await run(structuredClone(review)));
  } catch (error) {
    return { outcome: 'failed', error: errorText(error) };
  }
  if (Array.isArray(answer)) return answered({ convertedObjects: answer });
  if (!isJsonObject(answer)) return { outcome: 'failed', error: `a converter returned no list; ${expectedReturn}` };
  return answered(answer['kind'] === 'ConversionReview' ? asObject(answer['response']) : answer);
}
