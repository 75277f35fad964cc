import { dirname } from 'node:path';
import { type BatchConfig, createBatches } from '../../adapters/audit/batches.ts';
import { legacyLine, truncated } from '../../adapters/audit/event-line.ts';
import { openLineStream, daysMs, openRotatingFile } from '../../adapters/audit/line-writer.ts';
import { allStored } from '../../adapters/audit/event.ts';
import { goReasons, configurationFiles } from '../../adapters/config/read-files.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { commandFailed } from '../../adapters/config/config-error.ts';
import { defaultOptions, type UpstreamOptions } from '../../adapters/config/upstream/options.ts';
import { type WebhookBackend, readBackend } from '../../apiserver/admission/configuration/kubeconfig.ts';
import type { CallReply, CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import { transformResponse, isSuccess } from '../../apiserver/admission/webhooks/response-error.ts';
import type { Clock } from '../../machinery/clock.ts';
import { errorText } from '../../machinery/errors.ts';
import { makeFolder } from '../../adapters/files/portable-files.ts';
import { isJsonObject } from '../../machinery/json/json.ts';

export interface SinkPorts {
  readonly clock: Clock;
  readonly logError: (line: string) => void;
  readonly callWebhook: CallWebhook;
}

export interface AuditSink {
  readonly write: (line: string) => Promise<boolean>;
  /** Resolves when every line is written or given up. */
  readonly close: () => Promise<void>;
}

/** undefined without flags of audit logs or webhooks. Throws StartFailure. */
export function openAuditSinks(config: ServerConfig, ports: SinkPorts): AuditSink | undefined {
  const { auditLogPath: path, upstream = defaultOptions } = config;
  const file = upstream.text['audit-webhook-config-file'];
  const sinks = [
    ...(path === '' ? [] : [createAuditSink('log', upstream, ports, openLog(path, upstream, ports))]),
    ...(file === '' ? [] : [createAuditSink('webhook', upstream, ports, openWebhook(file, upstream, ports))]),
  ];
  if (sinks.length === 0) return undefined;
  return {
    write: (line) => allStored(sinks.map(({ write }) => write(line))),
    close: async () => void (await Promise.all(sinks.map(({ close }) => close()))),
  };
}

/** Delivers lines of JSON; resolves with whether it could. */
interface Sink {
  readonly deliver: (lines: readonly string[]) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/**
 * Truncates and batches events as the flags say; of the modes without batches, only `blocking-strict` reports a lost event.
 * Follows apiserver pkg/server/options/audit.go wrapBackend.
 */
function createAuditSink(
  to: 'log' | 'webhook',
  options: UpstreamOptions,
  { clock, logError }: SinkPorts,
  target: Sink,
): AuditSink {
  const report = (text: string): void => logError(`--audit-${to}: ${text}`);
  const { deliver } = target;
  const mode = options.text[`audit-${to}-mode`];
  const inBatches = async (lines: readonly string[]): Promise<void> => void (await deliver(lines));
  const batches =
    mode === 'batch'
      ? createBatches(batchConfig(to, options), { deliver: inBatches, sleep: clock.sleep, now: clock.now, report })
      : undefined;
  const maxLineBytes = options.bool[`audit-${to}-truncate-enabled`]
    ? options.number[`audit-${to}-truncate-max-event-size`]
    : Infinity;
  const pending = new Set<Promise<boolean>>();
  const deliverNow = async (line: string): Promise<boolean> => {
    const sent = deliver([line]);
    pending.add(sent);
    const isStored = await sent.finally(() => pending.delete(sent));
    return isStored || mode !== 'blocking-strict';
  };
  return {
    write: async (line) => {
      const short = truncated(line, maxLineBytes);
      if (short === undefined) {
        report('event is too large even after truncating');
        return true;
      }
      if (!batches) return deliverNow(short);
      batches.add(short);
      return true;
    },
    close: async () => {
      await batches?.close();
      await Promise.all(pending);
      await target.close();
    },
  };
}

const batchConfig = (to: 'log' | 'webhook', { number, duration, bool }: UpstreamOptions): BatchConfig => ({
  bufferSize: number[`audit-${to}-batch-buffer-size`],
  maxSize: number[`audit-${to}-batch-max-size`],
  maxWait: duration[`audit-${to}-batch-max-wait`],
  throttle: bool[`audit-${to}-batch-throttle-enable`]
    ? { qps: number[`audit-${to}-batch-throttle-qps`], burst: number[`audit-${to}-batch-throttle-burst`] }
    : undefined,
});

const mebibyte = 1024 * 1024;

function openLog(path: string, { number, bool, text }: UpstreamOptions, { clock, logError }: SinkPorts): Sink {
  const isLegacy = text['audit-log-format'] === 'legacy';
  const formatLine = (line: string): string => {
    const event: unknown = isLegacy ? JSON.parse(line) : undefined;
    return isJsonObject(event) ? legacyLine(event) : line;
  };
  const onError = (problem: string): void => logError(`--audit-log-path ${path}: ${problem}`);
  if (path === '-') {
    const writer = openLineStream(process.stdout, onError);
    return {
      deliver: async (lines) => {
        for (const line of lines) writer.write(formatLine(line));
        return true;
      },
      close: writer.close,
    };
  }
  const file = openFile();
  let hasFailed = false;
  return {
    deliver: async (lines) => {
      const error = thrownBy(() => file.write(Buffer.from(lines.map((line) => `${formatLine(line)}\n`).join(''))));
      if (error && !hasFailed) onError(error.message);
      hasFailed = error !== null;
      return error === null;
    },
    close: async () => file.close(),
  };
  function openFile(): ReturnType<typeof openRotatingFile> {
    try {
      makeFolder(dirname(path), 0o700);
      const rotation = {
        maxBytes: number['audit-log-maxsize'] * mebibyte,
        maxBackups: number['audit-log-maxbackup'],
        maxAge: daysMs(number['audit-log-maxage']),
        compress: bool['audit-log-compress'],
      };
      return openRotatingFile(path, rotation, clock.now);
    } catch (error) {
      throw commandFailed(`ensureLogFile: ${systemText(error, path)}`);
    }
  }
}

/** Go's text of a system error. Node reports a file in the place of a folder as existing. */
function systemText(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = goReasons.get(code === 'EEXIST' ? 'ENOTDIR' : code);
  if (reason === undefined) return errorText(error);
  const isFolder = error instanceof Error && 'syscall' in error && error.syscall === 'mkdir';
  return isFolder ? `mkdir ${dirname(path)}: ${reason}` : `open ${path}: ${reason}`;
}

function thrownBy(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function openWebhook(file: string, options: UpstreamOptions, { clock, callWebhook, logError }: SinkPorts): Sink {
  const backend = readBackend(file, configurationFiles);
  if (!backend.ok) throw commandFailed(`initializing audit webhook: ${backend.error}`);
  const backoffMs = options.duration['audit-webhook-initial-backoff'];
  const ports = { callWebhook, sleep: clock.sleep };
  return {
    deliver: async (lines) => {
      const error = await sendAuditEvents(lines, { backend: backend.value, backoffMs }, ports);
      if (error !== undefined)
        logError(`--audit-webhook-config-file ${file}: ${lines.length} events are lost: ${error}`);
      return error === undefined;
    },
    close: () => Promise.resolve(),
  };
}

interface AuditBackend {
  readonly backend: WebhookBackend;
  /** Before a retry; half as long again each time. */
  readonly backoffMs: number;
}

const timeoutMs = 30_000;
const attempts = 5;
const backoffFactor = 1.5;

/** Sends events as an EventList; resolves with the error. Follows apiserver plugin/pkg/audit/webhook/webhook.go. */
async function sendAuditEvents(
  lines: readonly string[],
  { backend: { url, caBundle, insecure, user }, backoffMs }: AuditBackend,
  { callWebhook, sleep }: { readonly callWebhook: CallWebhook; readonly sleep: Clock['sleep'] },
): Promise<string | undefined> {
  const body = `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${lines.join(',')}]}\n`;
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    const reply = await callWebhook({
      webhookName: 'audit-webhook',
      clientConfig: { url, caBundle },
      caller: { user, insecure },
      headers: { 'user-agent': 'Go-http-client/1.1' },
      body,
      timeoutMs,
    });
    const error = callError(reply);
    if (error === undefined || attempt === attempts) return error;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await sleep(backoffMs * backoffFactor ** (attempt - 1));
  }
}

function callError(reply: CallReply): string | undefined {
  if (reply.outcome === 'failed') return reply.error;
  const { code, contentType } = reply;
  return isSuccess(code)
    ? undefined
    : transformResponse({ code, contentType, body: new TextDecoder().decode(reply.body) });
}
