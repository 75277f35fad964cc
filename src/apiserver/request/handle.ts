import type { UserInfo } from '../auth/user.ts';
import { errorText } from '../../machinery/errors.ts';
import { goDurationError, readGoDuration } from '../../machinery/go/go-duration.ts';
import { noDeadline } from '../../machinery/meta/deadline.ts';
import { followedVersion } from '../../machinery/meta/release-names.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import {
  badRequest,
  internalError,
  methodNotAllowed,
  noSuchResource,
  type Status,
  ThrownStatus,
} from '../../machinery/meta/status.ts';
import { isCustomRow } from '../custom-resources/custom-codec.ts';
import { type RequestAccess, type Arrival, createAdmitUser } from './admit-user.ts';
import { plainText, type ApiRequest, type ApiResponse, type Printed } from './api-request.ts';
import { withParts, type Exchange, type RequestTarget, timeIsUp } from './exchange.ts';
import { isLongRunning } from './long-running.ts';
import { createJournal, type Journal } from './journal.ts';
import { groupOfPath, pageNotFound, type RequestInfo, requestInfoOf } from './request-info.ts';
import { createPipeline, stagesFor } from './pipeline.ts';
import type { HandlerDeps } from './handler-deps.ts';
import { runStages, type Stage } from './stage.ts';
import { checkPatchType } from './stages/apply-patch.ts';
import { resolveTarget } from './stages/resolve-target.ts';
import { noOptions } from './write-options.ts';

export type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** A finished request, for trace, audit log and metrics. */
export interface FinishedRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly journal: Journal;
  readonly access: RequestAccess;
  /** Absent when authentication failed. */
  readonly exchange?: Exchange;
  readonly response: ApiResponse;
  /** `v1.33.0`; absent for the latest. */
  readonly release?: string;
  /** An unexpected error became a 500. */
  readonly bug?: { readonly error: unknown };
}

export interface Observers {
  /** Called after authentication. */
  readonly authenticated?: (arrival: Arrival) => void;
  /** The response waits for it. */
  readonly finished: (finished: FinishedRequest) => unknown;
  /** A watch ended; it was `finished` when it began. */
  readonly watchEnded?: (finished: FinishedRequest) => void;
  readonly onBug: (request: ApiRequest, error: unknown) => void;
}

export function createHandle(deps: HandlerDeps, observers: Observers): Handle {
  const attempt = createAttempt(deps, observers);
  const { version } = deps.codec.types;
  const release = version === followedVersion ? {} : { release: version };
  return async (request) => {
    const journal = createJournal(deps.clock.now);
    const info = requestInfoOf(request.method, request.path, request.query);
    const { access, outcome } = await attempt({ request, info, journal });
    const finished: FinishedRequest = { request, info, journal, access, ...release, ...outcome };
    await observers.finished(finished);
    const { response } = outcome;
    const { watchEnded } = observers;
    return response.type === 'watch' && watchEnded
      ? { ...response, ...notifyWatchEnd(response, () => watchEnded(finished)) }
      : response;
  };
}

type Outcome = Pick<FinishedRequest, 'exchange' | 'response' | 'bug'>;
type IncomingRequest = Pick<Exchange, 'request' | 'info' | 'journal'>;
type Attempt = (arrived: IncomingRequest) => Promise<{ readonly access: RequestAccess; readonly outcome: Outcome }>;

/** Turns thrown errors into responses. */
function createAttempt(deps: HandlerDeps, { authenticated, onBug }: Observers): Attempt {
  const respond = createResponder(deps);
  const admitUser = createAdmitUser(deps, authenticated);
  return async (arrived) => {
    const { request, info, journal } = arrived;
    let access: RequestAccess = {};
    const refused = (status: Status, bug?: FinishedRequest['bug']): { access: RequestAccess; outcome: Outcome } => ({
      access,
      outcome: { response: statusResponse(status, journal), ...(bug && { bug }) },
    });
    try {
      const fault = timeoutFault(request, info);
      if (fault) return refused(fault);
      const admitted = await admitUser(arrived);
      ({ access } = admitted);
      if (!admitted.user.ok) return refused(admitted.user.status);
      const exchange = createExchange(arrived, admitted.user.value, deps.yieldIfLong);
      return { access, outcome: outcomeOf(exchange, await respond(exchange)) };
    } catch (error) {
      if (error instanceof ThrownStatus) return refused(error.status);
      onBug(request, error);
      return refused(internalError(errorText(error)), { error });
    }
  };
}

/** Calls `ended` once when the watch ends. */
function notifyWatchEnd(watch: Extract<ApiResponse, { type: 'watch' }>, ended: () => void): ApiResponse {
  const { open } = watch;
  return {
    ...watch,
    open: (send, end) => {
      const stop = open(send, end);
      let isOver = false;
      return () => {
        stop();
        if (!isOver) ended();
        isOver = true;
      };
    },
  };
}

const createExchange = (
  { request, info, journal }: IncomingRequest,
  user: UserInfo,
  yieldIfLong: Exchange['yieldIfLong'],
): Exchange => ({
  request,
  info,
  journal,
  progress: { refusal: undefined, reached: undefined, begun: undefined },
  yieldIfLong,
  user,
  target: null,
  options: noOptions,
  deadline: noDeadline,
  deadlineSource: 'request',
  object: null,
  sent: undefined,
  patch: undefined,
  current: null,
  response: null,
});

type RunStages = (exchange: Exchange) => Promise<Result<Exchange>>;

function outcomeOf(exchange: Exchange, result: Result<Exchange>): Outcome {
  if (!result.ok) {
    const { refusal, reached = exchange } = exchange.progress;
    const furthest = refusal === result.status ? reached : exchange;
    return { exchange: furthest, response: statusResponse(result.status, exchange.journal) };
  }
  return { exchange: result.value, response: withWarnings(result.value) };
}

/** An unknown version of a built-in group reaches the group's own router. */
const refuseUnserved = ({ catalogue }: HandlerDeps, exchange: Exchange, group: string | undefined): Result<Exchange> =>
  catalogue.all().some((row) => row.group === group && !isCustomRow(row))
    ? refuse(noSuchResource())
    : ok(withParts(exchange, { response: pageNotFound }));

/** Documents for plain paths, stages for resources. */
function createResponder(deps: HandlerDeps): RunStages {
  const pipeline = createPipeline(deps);
  const resolve = resolveTarget(deps);
  return async (exchange) => {
    const { info, request } = exchange;
    if (info.type === 'path') {
      const response = await deps.serveDocument(request, exchange.user);
      return response
        ? ok(withParts(exchange, { response }))
        : refuseUnserved(deps, exchange, groupOfPath(request.path));
    }
    if (!deps.catalogue.hasVersion(info.group, info.version)) return refuseUnserved(deps, exchange, info.group);
    const resolved = await runStages([resolve], exchange);
    if (!resolved.ok || !resolved.value.target) return resolved;
    const stages = stagesFor(pipeline, resolved.value.target);
    if (!stages) return refuse(methodNotAllowed());
    return runStages(refuseMediaType(resolved.value, resolved.value.target) ?? stages, resolved.value);
  };
}

/** 406 before the stages; only a wrong patch type comes first. */
function refuseMediaType(exchange: Exchange, { info, resource }: RequestTarget): readonly Stage[] | undefined {
  const refusal = exchange.request.negotiationError?.(isCustomRow(resource));
  if (!refusal) return undefined;
  const stage: Stage = { name: 'check-accept', run: async () => refuse(refusal) };
  return info.verb === 'patch' ? [checkPatchType, stage] : [stage];
}

function withWarnings({ response, journal, target }: Exchange): ApiResponse {
  if (!response) throw new Error('the pipeline ended without an answer');
  const printed = printOptions(target);
  if (response.type !== 'object' && response.type !== 'watch') return response;
  return { ...response, warnings: journal.warnings(), ...(printed ? { printed } : {}) };
}

function statusResponse(status: Status, journal: Journal): ApiResponse {
  if (status === timeIsUp.request) return { type: 'status', status, warnings: [], isBare: true };
  return status.code > 999 ? panicked : { type: 'status', status, warnings: journal.warnings() };
}

/** Go's server panics at four-digit codes of webhooks. Follows apiserver pkg/server/filters/wrap.go. */
const panicked = plainText(500, 'This request caused apiserver to panic. Look in the logs for details.\n');

/** Custom resources and their Scales. */
function printOptions(target: Exchange['target']): Printed | undefined {
  if (!target || !isCustomRow(target.resource)) return undefined;
  const { custom, version, subresource } = target.resource;
  if (subresource === 'scale') return { columns: custom.engine.scaleColumns };
  return { columns: () => custom.engine.customColumns(custom.definition, version) };
}

/**
 * Validates `?timeout=` before authentication, except for long-running requests. Follows apiserver
 * pkg/endpoints/filters/request_deadline.go parseTimeout.
 */
function timeoutFault({ query }: Pick<ApiRequest, 'query'>, info: RequestInfo): Status | undefined {
  if (query.size === 0 || isLongRunning(info)) return undefined;
  const text = query.get('timeout') ?? '';
  if (text === '' || readGoDuration(text) !== undefined) return undefined;
  return badRequest(`invalid timeout specified in the request URL - ${goDurationError(text)}`);
}
