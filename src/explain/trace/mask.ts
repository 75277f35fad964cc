import {
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwn,
} from '../../machinery/json/json.ts';
import { collectSecrets, collectSecretsIn, type SecretValues, withoutCommands } from './secret-values.ts';
import type { Trace, TracedDecision, TracedRequest } from './trace.ts';

/**
 * Replaces values of Secrets (`data`, `stringData`, the last applied configuration) and issued tokens by `‹masked N›`
 * everywhere in a trace. Equal values get equal numbers, so that a diff still shows changes. Values below four
 * characters are masked only in their fields.
 */
export function maskTrace(trace: Trace): Trace {
  const secrets = collectSecrets(trace);
  if (secrets === undefined) return trace;
  const { id, request, stages, admission, auditAnnotations, ...rest } = trace;
  return {
    ...(maskValue(rest as unknown as JsonObject, secrets) as unknown as typeof rest), // The fields stay what they are.
    id,
    stages,
    request: maskRequest(request, secrets),
    admission: admission.map((decision) => maskDecision(decision, secrets)),
    auditAnnotations: maskAnnotations(auditAnnotations, secrets),
  };
}

/** Masks the body: an object, a patch of one, or text. */
function maskRequest(request: TracedRequest, secrets: SecretValues): TracedRequest {
  const { body } = request;
  if (request.subresource === 'exec') return { ...request, query: withoutCommands(request.query, secrets.maskOf) };
  if (body === undefined) return request;
  if (!secrets.isSubject) return { ...request, body: maskValue(body, secrets) };
  if (Array.isArray(body)) {
    return { ...request, body: (body as readonly JsonValue[]).map((item) => maskOperation(asObject(item), secrets)) };
  }
  if (!isJsonObject(body)) return { ...request, body: maskedText };
  return { ...request, body: maskFields(body, secrets.subjectFields(body), secrets) };
}

/** Masks the values of Secrets in any value. */
export function maskSecretsIn(value: JsonValue): JsonValue {
  const secrets = collectSecretsIn(value);
  return secrets === undefined ? value : maskValue(value, secrets);
}

export const maskedText = '‹masked›';

function maskDecision(decision: TracedDecision, secrets: SecretValues): TracedDecision {
  const { name: _name, configuration: _configuration, patch, ...rest } = { configuration: '', ...decision } as Parts;
  const masked = asObject(maskValue(rest, secrets));
  const patches = patch === undefined ? {} : { patch: patch.map((operation) => maskOperation(operation, secrets)) };
  const answer = rest.answer === undefined ? {} : { answer: maskAnswer(rest.answer, secrets) };
  const holds = rest.holds === undefined ? {} : { holds: rest.holds.map((hold) => maskHold(hold, secrets)) };
  return { ...decision, ...masked, ...patches, ...answer, ...holds } as TracedDecision; // The fields are the ones it had.
}

interface Parts extends JsonObject {
  readonly name: string;
  readonly configuration: string;
  readonly patch?: readonly JsonObject[];
  readonly answer?: JsonValue;
  readonly holds?: readonly JsonObject[];
}

/** A hold may have replaced an answer. */
const maskHold = (hold: JsonObject, secrets: SecretValues): JsonObject =>
  hold['replaced'] === undefined ? hold : { ...hold, replaced: maskAnswer(hold['replaced'], secrets) };

/** The patch in an answer is base64; a body that is not JSON may contain anything. */
function maskAnswer(answer: JsonValue, secrets: SecretValues): JsonValue {
  if (!isJsonObject(answer)) return secrets.isSubject ? maskedText : maskValue(answer, secrets);
  const masked = asObject(maskValue(answer, secrets));
  const response = masked['response'];
  if (!secrets.isSubject || !isJsonObject(response) || response['patch'] === undefined) return masked;
  return { ...masked, response: { ...response, patch: maskedText } };
}

/** The patches in audit annotations are JSON texts. */
const maskAnnotations = (
  annotations: Readonly<Record<string, string>>,
  secrets: SecretValues,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [
      key,
      secrets.isSubject && key.startsWith('patch.webhook') ? maskedText : secrets.scrubText(value),
    ]),
  );

function maskOperation(operation: JsonObject, secrets: SecretValues): JsonObject {
  const { value, ...rest } = operation;
  if (value === undefined) return operation;
  const isHidden = secrets.isSubject && secrets.hidesPath(asString(operation['path']));
  return { ...rest, value: isHidden ? maskLeaves(value, secrets) : maskValue(value, secrets) };
}

/** Masks the values of Secrets, and removes them from every other text. */
function maskValue(value: JsonValue, secrets: SecretValues): JsonValue {
  if (typeof value === 'string') return secrets.scrubText(value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => maskValue(item, secrets));
  if (!isJsonObject(value)) return value;
  return maskFields(value, secrets.hiddenFields(value), secrets);
}

function maskFields(object: JsonObject, hidden: readonly string[], secrets: SecretValues): JsonObject {
  const copy: JsonObject = {};
  for (const [field, child] of Object.entries(object)) {
    if (child === undefined) continue;
    setOwn(copy, field, hidden.includes(field) ? maskLeaves(child, secrets) : maskValue(child, secrets));
  }
  return copy;
}

function maskLeaves(value: JsonValue, secrets: SecretValues): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => maskLeaves(item, secrets));
  if (!isJsonObject(value)) return value === null ? null : secrets.maskOf(value);
  const copy: JsonObject = {};
  for (const [field, child] of Object.entries(value)) {
    if (child !== undefined) setOwn(copy, field, maskLeaves(child, secrets));
  }
  return copy;
}
