import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { maskSecretsIn, maskedText } from '../../../explain/trace/mask.ts';

const secretKinds = new Set(['Secret', 'TokenRequest', 'TokenReview']);

/** The document of breaks with what Secrets hold masked; of an answer to a review of one nothing is shown. */
export function maskHeld(state: JsonValue): JsonValue {
  const masked = maskSecretsIn(state);
  if (!isJsonObject(masked)) return masked;
  return { ...masked, held: asList(masked['held']).map(withoutAnswer) };
}

function withoutAnswer(held: JsonValue): JsonValue {
  const { answer, review } = asObject(held);
  const { kind } = asObject(asObject(asObject(review)['request'])['kind']);
  if (!isJsonObject(answer) || !secretKinds.has(asString(kind))) return held;
  const { outcome, code } = answer;
  return { ...asObject(held), answer: { outcome, code, body: maskedText, response: { masked: maskedText } } };
}
