import { dirname } from 'node:path';
import { type AuditLog, createAuditLog } from '../../adapters/audit/audit-log.ts';
import { type LineWriter, openLineFile, openLineStream } from '../../adapters/audit/line-writer.ts';
import { type AuditPolicy, readPolicy } from '../../adapters/audit/policy.ts';
import { commandFailed } from '../../adapters/config/config-error.ts';
import { goReasons, readGoFile } from '../../adapters/config/read-files.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { makeFolder } from '../../adapters/files/portable-files.ts';
import { readYamlBody } from '../../adapters/http/body-formats.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import type { Release } from '../../api/release/release.ts';
import { isCustomRow } from '../../apiserver/custom-resources/custom-codec.ts';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import type { Clock } from '../../machinery/clock.ts';
import { errorText } from '../../machinery/errors.ts';

interface AuditLogPorts {
  readonly release: Pick<Release, 'deprecationOf'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface OpenAuditLog extends AuditLog {
  /** Resolves when all events are written or dropped. */
  readonly close: () => Promise<void>;
}

/**
 * The log of --audit-policy-file and --audit-log-path; without a policy the file is made and stays empty. Throws StartFailure.
 * Follows apiserver pkg/server/options/audit.go.
 */
export async function openAuditLog(
  { auditPolicyFile, auditLogPath }: ServerConfig,
  { release, clock, log }: AuditLogPorts,
): Promise<OpenAuditLog | undefined> {
  const policy = auditPolicyFile === '' ? undefined : await loadPolicy(auditPolicyFile, log.error);
  if (auditLogPath === '') {
    if (policy) log.error('--audit-policy-file: no events are written without --audit-log-path');
    return undefined;
  }
  const { write, close } = openWriter(auditLogPath, log.error);
  if (!policy) {
    await close();
    log.error('--audit-log-path: no events are recorded without --audit-policy-file');
    return undefined;
  }
  const isDeprecated = ({ exchange }: FinishedRequest): boolean => {
    const row = exchange?.target?.resource;
    if (!row) return false;
    return isCustomRow(row) ? row.custom.version['deprecated'] === true : release.deprecationOf(row) !== undefined;
  };
  return { ...createAuditLog(policy, { write, now: clock.now, isDeprecated }), close };
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

function openWriter(path: string, logError: Log['error']): LineWriter {
  const onError = (problem: string): void => logError(`--audit-log-path ${path}: ${problem}`);
  if (path === '-') return openLineStream(process.stdout, onError);
  try {
    makeFolder(dirname(path), 0o700);
    return openLineFile(path, onError);
  } catch (error) {
    throw commandFailed(`ensureLogFile: ${systemText(error, path)}`);
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
