import type { ClientConfig, ConversionPhase, ServerCertificate } from '../admission/webhooks/call.ts';
import type { FailureCause } from '../admission/webhooks/failure-cause.ts';
import { asObject, asString, isJsonObject, valueAt } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';

/** One object of a custom resource that was wanted in another version, and what came of it: for the trace. */
export interface ConversionRecord {
  /** The name of its CustomResourceDefinition. */
  readonly definition: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The `apiVersion` it had, and the one that was wanted. */
  readonly from: string;
  readonly to: string;
  readonly strategy: 'None' | 'Webhook';
  /** Of a webhook: whom the definition names. */
  readonly clientConfig?: ClientConfig;
  /** Where a service was really called. */
  readonly url?: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Why it failed, as the client is told. */
  readonly error?: string;
  /** How far a failed call came; `failure` when the converter said no, `answer` when what it said cannot be used. */
  readonly failurePhase?: ConversionPhase;
  readonly failureCause?: FailureCause;
  readonly certificate?: ServerCertificate;
}

export type RecordConversion = (record: ConversionRecord) => void;

/** What a definition says of its converter: the fields that webhook configurations have too. */
export function converterOf(definition: JsonObject): ClientConfig {
  const { url, service, caBundle } = asObject(valueAt(definition, 'spec', 'conversion', 'webhook', 'clientConfig'));
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(isJsonObject(service) ? { service: serviceOf(service) } : {}),
    // One of nothing but white space is none. Follows webhook_converter.go webhookClientConfigForCRD.
    ...(typeof caBundle === 'string' && !/^\s*$/.test(atob(caBundle)) ? { caBundle } : {}),
  };
}

function serviceOf({ namespace, name, path, port }: JsonObject): NonNullable<ClientConfig['service']> {
  return {
    namespace: asString(namespace),
    name: asString(name),
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof port === 'number' ? { port } : {}),
  };
}
