import type { Registry } from 'prom-client';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { createRequestLog, type Log, requestVerbosity } from '../../adapters/telemetry/log.ts';
import type { Metrics } from '../../adapters/telemetry/metrics.ts';
import { createPropagation, type Propagation } from '../../adapters/telemetry/propagation.ts';
import { createSpanSender } from '../../adapters/telemetry/span-sender.ts';
import type { Release } from '../../api/release/release.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Observers } from '../../apiserver/request/handle.ts';
import type { Clock } from '../../machinery/clock.ts';
import { openAuditLog } from './open-audit-log.ts';

/** Audit log, metrics, spans and request log, as the flags enable them. */
export interface Observing extends Required<Watcher>, Propagation {
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
  const audit = await openAuditLog(config, ports);
  const isRecording = isTracing(process.env);
  const spans = isRecording ? createSpanSender({ now: clock.now, logError: log.error }) : undefined;
  const watchers = [
    { finished: metrics.record },
    ...(audit ? [audit] : []),
    ...(spans ? [spans] : []),
    ...(log.isVerbose(requestVerbosity) ? [{ finished: createRequestLog(log, clock.now) }] : []),
  ];
  return {
    ...combineWatchers(watchers, log),
    ...createPropagation(isRecording),
    serve: serveMetrics(metrics),
    close: async () => {
      await Promise.all([audit?.close(), spans?.close()]);
    },
  };
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

/** Calls every watcher; its errors become lines in the log. */
function combineWatchers(watchers: readonly Watcher[], log: Log): Required<Watcher> {
  const notify = (observe: (watcher: Watcher) => void): void => {
    for (const watcher of watchers) {
      try {
        observe(watcher);
      } catch (error) {
        log.error(`observing: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  };
  return {
    authenticated: (arrival) => notify(({ authenticated }) => authenticated?.(arrival)),
    finished: (finished) => notify((watcher) => watcher.finished(finished)),
    watchEnded: (finished) => notify(({ watchEnded }) => watchEnded?.(finished)),
  };
}
