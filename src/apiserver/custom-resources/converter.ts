import { asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { type Deadline, noDeadline } from '../../machinery/meta/deadline.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { type Status, ThrownStatus } from '../../machinery/meta/status.ts';
import type { Converted } from '../../api/codec/codec.ts';
import type { ClientConfig, ConversionPhase, FailureCause, ServerCertificate } from '../admission/webhooks/call.ts';
import { converterOf } from './conversion-review.ts';
import { type ConversionPorts, convertByWebhook } from './convert-by-webhook.ts';

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

export type ConvertObject = (object: KubernetesObject, to: string) => Promise<Converted>;

export interface ConversionRequest {
  /** Aborts when the client is gone. */
  readonly signal?: (() => AbortSignal) | undefined;
  readonly now: () => number;
  readonly record: RecordConversion;
  readonly deadline?: Deadline;
  /** The response after the deadline. */
  readonly late?: Status;
}

/** None changes only the apiVersion. Follows apiextensions-apiserver pkg/apiserver/conversion/converter.go. */
export function createConverter(definition: JsonObject, ports: ConversionPorts, by: ConversionRequest): ConvertObject {
  const strategy = valueAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook' ? 'Webhook' : 'None';
  const about = (object: KubernetesObject, to: string, startedAt: number): ConversionRecord => {
    const { name = '', namespace = '' } = metadataOf(object);
    const { apiVersion: from, kind } = object;
    const crd = asString(valueAt(definition, 'metadata', 'name'));
    return { definition: crd, kind, namespace, name, from, to, strategy, startedAt, finishedAt: by.now() };
  };
  if (strategy === 'None') {
    return async (object, to) => {
      by.record(about(object, to, by.now()));
      return { outcome: 'converted', object: { ...object, apiVersion: to } };
    };
  }
  const clientConfig = converterOf(definition);
  return async (object, to) => {
    const startedAt = by.now();
    const { deadline = noDeadline, late } = by;
    const remainingMs = deadline.at() - startedAt;
    const conversion = { object, to, signal: by.signal?.(), timeoutMs: Math.max(0, Math.min(remainingMs, maxMs)) };
    const { converted, url, failurePhase, failureCause, certificate } = await convertByWebhook(
      definition,
      conversion,
      ports,
    );
    by.record({
      ...about(object, to, startedAt),
      clientConfig,
      ...(url === undefined ? {} : { url }),
      ...(converted.outcome === 'converted' ? {} : { error: converted.error }),
      ...(failurePhase === undefined ? {} : { failurePhase }),
      ...(failureCause === undefined ? {} : { failureCause }),
      ...(certificate === undefined ? {} : { certificate }),
    });
    const isLate = converted.outcome === 'inconvertible' && by.now() >= deadline.at() - 1;
    if (isLate && late) throw new ThrownStatus(converted.error, late);
    return converted;
  };
}

const maxMs = 30_000;
