import { createFindings } from '../http/findings.ts';
import type { Findings } from '../http/findings.ts';
import { serveTraces } from '../http/traces.ts';
import type { Observers } from '../request/handle.ts';
import { clock } from './clock.ts';
import { createTraceFiles } from '../trace/trace-files.ts';
import { createTraceLog, isTraced } from '../trace/trace-log.ts';
import type { TraceLog } from '../trace/trace-log.ts';

export interface Tracing {
  readonly log: TraceLog;
  /** Who refused a request, and what was found in it. */
  readonly digest: Findings['digest'];
  readonly record: Observers['finished'];
  readonly serve: ReturnType<typeof serveTraces>;
  readonly flush: () => Promise<void>;
}

/** Every write leaves a trace, in memory and, if a folder is named, in a file. */
export function createTracing(directory: string, logError: (line: string) => void): Tracing {
  const log = createTraceLog();
  const files = directory === '' ? undefined : createTraceFiles(directory, logError);
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
