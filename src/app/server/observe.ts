import type { Registry } from 'prom-client';
import { type AuditLog, createAuditLog } from '../../adapters/audit/audit-log.ts';
import { type AuditPolicy, readPolicy } from '../../adapters/audit/policy.ts';
import { allStored } from '../../adapters/audit/event.ts';
import { readGoFile } from '../../adapters/config/read-files.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { commandFailed } from '../../adapters/config/config-error.ts';
import { readYamlBody } from '../../adapters/http/body-formats.ts';
import { createRequestLog, type Log, requestVerbosity } from '../../adapters/telemetry/log.ts';
import type { Metrics } from '../../adapters/telemetry/metrics.ts';
import { createPropagation, type Propagation } from '../../adapters/telemetry/propagation.ts';
import { createSpanSender, type SpanTarget } from '../../adapters/telemetry/span-sender.ts';
import type { Release } from '../../api/release/release.ts';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import { isCustomRow } from '../../apiserver/custom-resources/custom-codec.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { FinishedRequest, Observers } from '../../apiserver/request/handle.ts';
import type { Clock } from '../../machinery/clock.ts';
import { type AuditSink, openAuditSinks } from './audit-sinks.ts';
import { openTracingConfiguration } from './tracing-configuration.ts';

/** Audit log, metrics, spans and request log, as the flags enable them. */
export interface Observing extends Watcher, Propagation {
  /** Sets the caller of the audit webhook; its events wait until then. */
  readonly callThrough: (call: CallWebhook) => void;
  readonly logError: Log['error'];
  /** Answers `GET /metrics`; undefined for any other path. */
  readonly serve: (request: ApiRequest) => Promise<ApiResponse> | undefined;
  /** Resolves when everything is written. */
  readonly close: () => Promise<void>;
}

export interface ObservingPorts {
  readonly release: Pick<Release, 'deprecationOf'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

type Watcher = Pick<Observers, 'authenticated' | 'finished' | 'watchEnded'>;

/** Rejects with ConfigError for a file that cannot be used. */
export async function startObserving(config: ServerConfig, ports: ObservingPorts): Promise<Observing> {
  const { clock, log, metrics } = ports;
  const deferred = createDeferredCall();
  const audit = await openAudit(config, { ...ports, callWebhook: deferred.call });
  const target = spanTarget(config);
  const isRecording = target !== undefined || isTracing(process.env);
  const spans = isRecording ? createSpanSender({ now: clock.now, logError: log.error, target }) : undefined;
  const watchers = [
    { finished: metrics.record },
    ...(audit ? [audit.log] : []),
    ...(spans ? [spans] : []),
    ...(log.isVerbose(requestVerbosity) ? [{ finished: createRequestLog(log, clock.now) }] : []),
  ];
  return {
    ...combineWatchers(watchers.map((watcher) => guardWatcher(watcher, log))),
    ...createPropagation(isRecording, target?.share),
    serve: serveMetrics(metrics),
    callThrough: deferred.resolve,
    logError: log.error,
    close: async () => {
      await Promise.all([audit?.writer.close(), spans?.close()]);
    },
  };
}

/** The target of --tracing-config-file. Throws StartFailure. */
function spanTarget({ upstream }: ServerConfig): SpanTarget | undefined {
  const path = upstream?.given.get('tracing-config-file')?.at(-1) ?? '';
  return path === '' ? undefined : openTracingConfiguration(path);
}

/** Follows the names of the OpenTelemetry specification. */
const isTracing = (env: NodeJS.ProcessEnv): boolean =>
  env['OTEL_SDK_DISABLED'] !== 'true' &&
  Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);

const serveMetrics =
  ({ registry }: Metrics): Observing['serve'] =>
  ({ method, path }) =>
    method === 'GET' && path === '/metrics' ? metricsResponse(registry) : undefined;

const metricsResponse = async (registry: Registry): Promise<ApiResponse> => ({
  type: 'document',
  code: 200,
  contentType: registry.contentType,
  body: await registry.metrics(),
});

/** Errors of a watcher become a line in the log. */
function guardWatcher({ finished, authenticated, watchEnded }: Watcher, log: Log): Watcher {
  const logError = (error: unknown): void => {
    log.error(`observing: ${error instanceof Error ? error.stack : String(error)}`);
  };
  const guard =
    (observe: (finished: FinishedRequest) => unknown) =>
    async (finishedRequest: FinishedRequest): Promise<void> => {
      try {
        await observe(finishedRequest);
      } catch (error) {
        logError(error);
      }
    };
  const guardedEnd = watchEnded && guard(watchEnded);
  return {
    finished: guard(finished),
    ...(authenticated && {
      authenticated: (arrival) =>
        authenticated(arrival).catch((error: unknown) => {
          logError(error);
          return true;
        }),
    }),
    ...(guardedEnd ? { watchEnded: (ended) => void guardedEnd(ended) } : {}),
  };
}

/** Combines watchers; hooks without a watcher are absent. */
export function combineWatchers(watchers: readonly Watcher[]): Watcher {
  const arrivals = watchers.flatMap(({ authenticated }) => authenticated ?? []);
  const ends = watchers.flatMap(({ watchEnded }) => watchEnded ?? []);
  return {
    ...(arrivals.length === 0
      ? {}
      : { authenticated: (arrival) => allStored(arrivals.map((observe) => observe(arrival))) }),
    ...(ends.length === 0 ? {} : { watchEnded: (finished) => ends.forEach((observe) => observe(finished)) }),
    finished: (finished) => Promise.all(watchers.map(async (watcher) => watcher.finished(finished))),
  };
}

interface OpenAudit {
  readonly log: AuditLog;
  readonly writer: AuditSink;
}

/** Follows apiserver pkg/server/options/audit.go: without a policy the file is made and stays empty. */
async function openAudit(
  config: ServerConfig,
  { release, clock, log, callWebhook }: ObservingPorts & { readonly callWebhook: CallWebhook },
): Promise<OpenAudit | undefined> {
  const { auditPolicyFile: file } = config;
  const policy = file === '' ? undefined : await loadPolicy(file, log.error);
  const writer = openAuditSinks(config, { clock, callWebhook, logError: log.error });
  if (!writer) {
    if (policy) log.error('--audit-policy-file: no events are written without --audit-log-path');
    return undefined;
  }
  if (!policy) {
    await writer.close();
    log.error('--audit-log-path: no events are recorded without --audit-policy-file');
    return undefined;
  }
  const isDeprecated = ({ exchange }: FinishedRequest): boolean => {
    const row = exchange?.target?.resource;
    if (!row) return false;
    return isCustomRow(row) ? row.custom.version['deprecated'] === true : release.deprecationOf(row) !== undefined;
  };
  return { log: createAuditLog(policy, { write: writer.write, now: clock.now, isDeprecated }), writer };
}

async function loadPolicy(file: string, logError: (line: string) => void): Promise<AuditPolicy> {
  const unreadable = (goError: string): string =>
    `loading audit policy file: failed to read file path ${JSON.stringify(file)}: ${goError}`;
  const fail = (error: string): never => {
    throw commandFailed(`loading audit policy file: ${error}: from file ${file}`);
  };
  const document = await readYamlBody(readGoFile(file, unreadable));
  if (document.outcome === 'unreadable') return fail(`failed decoding: ${document.error.replace(/:$/, '')}`);
  const reading = readPolicy(document.value);
  if (reading.outcome === 'unreadable') return fail(reading.error);
  const repeated = document.duplicates.map((duplicate) => `yaml: ${duplicate}`);
  const problem = [...repeated, ...(reading.strict === '' ? [] : [reading.strict])].join(', ');
  if (problem !== '') logError(`--audit-policy-file ${file}: errors, decoded leniently: ${problem}`);
  return reading.policy;
}

/** Calls wait until `resolve` sets the caller. */
interface DeferredCall {
  readonly call: CallWebhook;
  readonly resolve: (call: CallWebhook) => void;
}

function createDeferredCall(): DeferredCall {
  let resolve: (call: CallWebhook) => void = () => {};
  const caller = new Promise<CallWebhook>((settle) => {
    resolve = settle;
  });
  return { call: async (webhookCall) => (await caller)(webhookCall), resolve };
}
