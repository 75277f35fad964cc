import { type ApiRequest, responseCode } from '../../apiserver/request/api-request.ts';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import { withSourcePositions } from '../files/source-positions.ts';

/** The server's log on standard error. */
export interface Log {
  /** Warnings and bugs. */
  readonly error: (line: string) => void;
  readonly info: (verbosity: number, message: string, facts?: Facts) => void;
  readonly isVerbose: (verbosity: number) => boolean;
}

type Facts = Readonly<Record<string, string | number>>;

export interface LogOptions {
  readonly format: 'text' | 'json';
  readonly verbosity: number;
}

/** Lines of text, or JSON by pino. Follows component-base logs/api/v1/options.go. */
export async function openLog(
  { format, verbosity }: LogOptions,
  write: (text: string) => void = (text) => void process.stderr.write(text),
): Promise<Log> {
  const isVerbose = (wanted: number): boolean => wanted <= verbosity;
  if (format === 'text') {
    return {
      error: (line) => write(`${withSourcePositions(line)}\n`),
      // In text format other code announces the start; JSON readers get it from here.
      info: (wanted, message, facts = {}) => {
        if (isVerbose(Math.max(1, wanted))) write(`${[message, ...Object.entries(facts).map(pairText)].join(' ')}\n`);
      },
      isVerbose,
    };
  }
  const { default: pino } = await import('pino');
  const logger = pino(
    {
      base: null,
      messageKey: 'msg',
      timestamp: () => `,"ts":${Date.now()}`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return {
    error: (line) => logger.error(withSourcePositions(line)),
    info: (wanted, message, facts = {}) => {
      if (isVerbose(wanted)) logger.info({ v: wanted, ...facts }, message);
    },
    isVerbose,
  };
}

/** klog's key-value pairs: `verb="list"`, `resp=200`. */
const pairText = ([name, value]: readonly [string, string | number]): string =>
  `${name}=${typeof value === 'string' ? JSON.stringify(value) : value}`;

export const requestVerbosity = 3;

/** Follows apiserver pkg/server/httplog/httplog.go. */
export const createRequestLog =
  (log: Log, now: () => number) =>
  ({ request, info, response }: FinishedRequest): void => {
    const agent = request.headers['user-agent'];
    log.info(requestVerbosity, 'HTTP', {
      verb: info.verb,
      URI: shownTarget(request),
      latency: `${(now() - request.receivedAt).toFixed(3)}ms`,
      userAgent: typeof agent === 'string' ? agent : '',
      'audit-ID': request.auditId,
      srcIP: request.remoteAddress ?? '',
      resp: responseCode(response),
    });
  };

/** The request target without the command of an exec, which often contains secrets. */
export function shownTarget({ target, path }: Pick<ApiRequest, 'target' | 'path'>): string {
  const [before = '', ...query] = (target ?? path).split('?');
  if (query.length === 0) return before;
  return `${before}?${query.join('?').split('&').map(withoutCommand).join('&')}`;
}

function withoutCommand(pair: string): string {
  const [name] = new URLSearchParams(pair).keys();
  return name === 'command' ? 'command=‹masked›' : pair;
}
