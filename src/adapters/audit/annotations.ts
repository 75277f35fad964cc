import { asObject, asString } from '../../machinery/json/json.ts';
import { decodeJwt } from '../../apiserver/auth/jwt.ts';
import type { AuditAnnotation, WebhookRecord } from '../../apiserver/admission/chain/outcome.ts';
import type { JournalEntry } from '../../apiserver/request/journal.ts';
import { unsafeDeleteStage } from '../../apiserver/request/stages/unsafe-delete.ts';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import { goDuration } from '../../machinery/go/go-duration.ts';
import { isAtLeast, type Level } from './policy.ts';

type Annotations = Readonly<Record<string, string>>;

interface AnnotationSources {
  readonly level: Level;
  readonly isDeprecated: boolean;
  /** Milliseconds since 1970; undefined while the request runs. */
  readonly finishedAt: number | undefined;
}

/**
 * The annotations of an event, by key; the first to write a key keeps it.
 * Follows apiserver pkg/audit/context.go, pkg/admission/audit.go and pkg/endpoints/filters/authorization.go.
 */
export function collectAnnotations(
  finished: FinishedRequest,
  { level, isDeprecated, finishedAt }: AnnotationSources,
): Annotations {
  const { access, journal } = finished;
  const { decision } = access;
  const found = new Map<string, string>();
  const add = (key: string, value: string): void => {
    if (!found.has(key)) found.set(key, value);
  };
  if (decision) {
    add('authorization.k8s.io/decision', decision.allowed ? 'allow' : 'forbid');
    add('authorization.k8s.io/reason', decision.reason);
  }
  for (const entry of journal.entries()) {
    for (const { key, value } of admissionAnnotations(entry, level)) add(key, value);
  }
  if (journal.stages().names.includes(unsafeDeleteStage)) add('apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
  const issued = issuedCredential(finished);
  if (issued !== undefined) add('authentication.kubernetes.io/issued-credential-id', issued);
  if (isDeprecated) add('k8s.io/deprecated', 'true');
  if (finishedAt !== undefined) for (const [key, value] of latencyAnnotations(finished, finishedAt)) add(key, value);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The identifier of the issued token. Follows pkg/registry/core/serviceaccount/storage/token.go. */
function issuedCredential({ info, response }: FinishedRequest): string | undefined {
  if (info.type !== 'resource' || info.resource !== 'serviceaccounts' || info.subresource !== 'token') return undefined;
  if (response.type !== 'object' || response.code !== 201) return undefined;
  const id = decodeJwt(asString(asObject(response.body['status'])['token']))?.claims['jti'];
  return typeof id === 'string' && id !== '' ? `JTI=${id}` : undefined;
}

function admissionAnnotations(entry: JournalEntry, level: Level): readonly Pick<AuditAnnotation, 'key' | 'value'>[] {
  return entry.type === 'admission' ? entry.result.annotations.filter((one) => isAtLeast(level, one.level)) : [];
}

const slowMs = 500;

/**
 * Annotates a slow request with its latencies (rule AUD-5). Follows apiserver
 * pkg/endpoints/request/webhook_duration.go.
 */
function latencyAnnotations(
  { request, journal }: FinishedRequest,
  finishedAt: number,
): readonly (readonly [string, string])[] {
  const total = finishedAt - request.receivedAt;
  if (total <= slowMs) return [];
  const calls = journal.entries().flatMap((entry) => (entry.type === 'admission' ? entry.result.records : []));
  const took = (phase: string): readonly number[] =>
    calls
      .filter((record) => record.type === 'webhook')
      .filter((call) => call.phase === phase && wasSent(call))
      .map(callDuration);
  const mutating = took('mutating').reduce((sum, one) => sum + one, 0);
  const validating = Math.max(0, ...took('validating'));
  return [
    ...(mutating > 0 ? [['apiserver.latency.k8s.io/mutating-webhook', goDuration(mutating)] as const] : []),
    ...(validating > 0 ? [['apiserver.latency.k8s.io/validating-webhook', goDuration(validating)] as const] : []),
    ['apiserver.latency.k8s.io/total', goDuration(total)],
  ];
}

const wasSent = ({ outcome }: WebhookRecord): boolean => 'request' in outcome && outcome.request !== null;

const callDuration = ({ startedAt, finishedAt }: WebhookRecord): number => finishedAt - startedAt;
