import type { ClientConfig, ConversionPhase, ServerCertificate, FailureCause } from '../admission/webhooks/call.ts';
import { asObject, asString, isJsonObject, type JsonObject, valueAt } from '../../machinery/json/json.ts';

export interface ConversionRecord {
  /** The name of the CustomResourceDefinition. */
  readonly definition: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly strategy: 'None' | 'Webhook';
  readonly clientConfig?: ClientConfig;
  /** Where a service was really called. */
  readonly url?: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** The error for the client. */
  readonly error?: string;
  /** `failure`: the converter's result is Failed; `answer`: its response is invalid. */
  readonly failurePhase?: ConversionPhase;
  readonly failureCause?: FailureCause;
  readonly certificate?: ServerCertificate;
}

export type RecordConversion = (record: ConversionRecord) => void;

/** The fields shared with webhook configurations. */
export function converterOf(definition: JsonObject): ClientConfig {
  const { url, service, caBundle } = asObject(valueAt(definition, 'spec', 'conversion', 'webhook', 'clientConfig'));
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(isJsonObject(service) ? { service: serviceOf(service) } : {}),
    // White space counts as absent. Follows webhook_converter.go webhookClientConfigForCRD.
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
