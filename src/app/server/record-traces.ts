import { createFindings, type TraceFindings, serveTraces } from '../../adapters/http/traces.ts';
import type { Observers } from '../../apiserver/request/handle.ts';
import { clock } from './clock.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { createTraceFiles, type TraceFiles } from '../../adapters/traces/trace-files.ts';
import { isTraced } from '../../explain/trace/trace-summary.ts';
import { createTraceLog, type TraceLog } from '../../adapters/traces/trace-log.ts';

export interface Tracing {
  readonly log: TraceLog;
  readonly digest: TraceFindings['digest'];
  readonly record: Observers['finished'];
  readonly serve: ReturnType<typeof serveTraces>;
  readonly flush: () => Promise<void>;
}

type TraceFlags = Pick<ServerConfig, 'keepTraces' | 'traceDir' | 'traceDirMaxFiles' | 'traceDirMaxSize'>;

const mebibyte = 1024 * 1024;

function openTraceFiles(
  { traceDir, traceDirMaxFiles: maxFiles, traceDirMaxSize: size }: TraceFlags,
  logError: (line: string) => void,
): TraceFiles | undefined {
  return traceDir === '' ? undefined : createTraceFiles(traceDir, { maxFiles, maxBytes: size * mebibyte }, logError);
}

/** Records writes in memory and, with --trace-dir, in files. */
export function createTracing(flags: TraceFlags | undefined, logError: (line: string) => void): Tracing {
  const log = createTraceLog(flags && { count: flags.keepTraces });
  const files = flags && openTraceFiles(flags, logError);
  const traces = serveTraces(log);
  const findings = createFindings(log.get);
  return {
    log,
    digest: findings.digest,
    record: (finished) => {
      if (!isTraced(finished)) return;
      const recorded = log.record(finished, clock.now());
      files?.write(recorded);
    },
    serve: (request) => traces(request) ?? findings.serve(request),
    flush: async () => files?.flush(),
  };
}
