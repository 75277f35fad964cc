import { typeMetaErrorPrefix } from '../../../machinery/json/body-type.ts';
import { decodeYamlBytes } from '../../../machinery/go/utf8.ts';
import type { Clock, Random } from '../../../machinery/clock.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asObject, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { hasTooManyValues, maxBodyValues, tooManyValuesText } from '../../../machinery/json/body-limits.ts';
import { readYaml } from '../../../machinery/yaml/read-yaml.ts';
import type { WebhookBackend } from '../configuration/kubeconfig.ts';
import {
  type ConfigurationReading,
  typedDocument,
  type TypedDocument,
  unreadable,
} from '../configuration/configuration-document.ts';
import type { CallReply, CallWebhook } from './call.ts';
import { transformResponse, isSuccess } from './response-error.ts';

export interface BackendCallPorts {
  readonly callWebhook: CallWebhook;
  readonly sleep: Clock['sleep'];
  readonly random: Random;
}

export interface BackendCall {
  readonly name: string;
  readonly backend: WebhookBackend;
  readonly review: JsonObject;
  /** For the error about another kind. */
  readonly scheme: string;
  readonly timeoutMs: number;
  readonly retryBackoffMs: number;
}

/** The status of the returned review, and its size in bytes. */
export type Reviewed =
  | { readonly outcome: 'reviewed'; readonly status: JsonObject; readonly bytes: number }
  | { readonly outcome: 'failed'; readonly error: string };

const attempts = 5;
const backoffFactor = 1.5;

/**
 * Calls a backend other than an admission webhook, with retries and backoff. Follows apiserver
 * pkg/util/webhook/webhook.go.
 */
export async function callBackend(call: BackendCall, ports: BackendCallPorts): Promise<Reviewed> {
  const { name, review, timeoutMs, retryBackoffMs } = call;
  const { url, caBundle, insecure, user } = call.backend;
  const body = `${writeJson(review)}\n`;
  for (let attempt = 1; ; attempt += 1) {
    const reply = await ports.callWebhook({
      webhookName: name,
      clientConfig: { url, caBundle },
      caller: { user, insecure },
      headers: { 'user-agent': 'Go-http-client/1.1' },
      body,
      timeoutMs,
    });
    if (attempt === attempts || !mayRecover(reply)) return readReply(reply, call);
    const jitter = 1 + 0.2 * ports.random();
    await ports.sleep(retryBackoffMs * backoffFactor ** (attempt - 1) * jitter);
  }
}

const mayRecover = (reply: CallReply): boolean =>
  reply.outcome === 'failed' ? reply.error.includes('connection reset by peer') : [429, 500, 504].includes(reply.code);

function readReply(reply: CallReply, { review: { kind, apiVersion }, scheme }: BackendCall): Reviewed {
  if (reply.outcome === 'failed') return reply;
  const { code, contentType } = reply;
  if (hasTooManyValues(reply.body)) return failed(tooManyValuesText);
  const body = decodeYamlBytes(reply.body);
  if (!isSuccess(code)) return failed(transformResponse({ code, contentType, body }));
  const document = readDocument(body);
  if (!document.ok) return failed(document.error);
  const { fields, kind: found, apiVersion: version } = document.value;
  if (found !== kind || version !== apiVersion) {
    const registered = `no kind ${goQuote(found)} is registered for version ${goQuote(version)}`;
    return failed(`${registered} in scheme ${goQuote(scheme)}`);
  }
  const sent = fields['status'] ?? null;
  const status = isJsonObject(sent) ? asObject(plainValue(sent)) : {};
  return { outcome: 'reviewed', status, bytes: reply.body.length };
}

/** JSON if it starts with a brace, else YAML. Follows apimachinery pkg/runtime/serializer/recognizer/recognizer.go. */
function readDocument(body: string): ConfigurationReading<TypedDocument> {
  if (!/^\s*\{/.test(body)) {
    const yaml = readYaml(body, maxBodyValues);
    return yaml.outcome === 'unreadable' ? unreadable(yaml.error) : typedDocument(yaml, body);
  }
  const reading = readJson(body);
  if (reading.outcome === 'read') return typedDocument({ value: reading.json.value, duplicates: [] }, body);
  return unreadable(typeMetaErrorPrefix + reading.error);
}

const failed = (error: string): Reviewed => ({ outcome: 'failed', error });
