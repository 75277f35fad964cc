import { noDeadline } from '../apimachinery/deadline.ts';
import { internalError, methodNotAllowed } from '../apimachinery/status.ts';
import type { Status } from '../apimachinery/status.ts';
import { ok, refuse } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
import type { AuthorizationQuestion } from '../auth/authorizer.ts';
import { notAllowed } from '../auth/forbidden.ts';
import type { UserInfo } from '../auth/user.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import type { Exchange } from './exchange.ts';
import { createJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import { createPipeline, stagesFor } from './pipeline.ts';
import { requestInfoOf } from './request-info.ts';
import type { RequestInfo } from './request-info.ts';
import type { Rooms } from './rooms.ts';
import { runStages } from './stage.ts';
import { resolveTarget } from './stages/resolve-target.ts';
import { noOptions } from './write-options.ts';

/** One request from the door to the answer. Never throws: a bug of ours is a 500 that `onBug` is told of. */
export type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** What a finished request leaves for the trace. */
export interface Finished {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly journal: Journal;
  /** How far the request came; absent when its user was refused. */
  readonly exchange?: Exchange;
  readonly response: ApiResponse;
}

export interface Observers {
  readonly finished: (finished: Finished) => void;
  readonly onBug: (request: ApiRequest, error: unknown) => void;
}

export function createHandle(rooms: Rooms, observers: Observers): Handle {
  const answer = createAnswer(rooms);
  return async (request) => {
    const journal = createJournal(rooms.clock.now);
    const info = requestInfoOf(request.method, request.path, request.query);
    let outcome: Outcome;
    try {
      const user = await admitUser(rooms, request, info);
      outcome = user.ok
        ? await respond(answer, arrived({ request, info, journal, user: user.value }))
        : { response: statusResponse(user.status, journal) };
    } catch (error) {
      observers.onBug(request, error);
      outcome = {
        response: statusResponse(internalError(error instanceof Error ? error.message : String(error)), journal),
      };
    }
    const { exchange, response } = outcome;
    observers.finished(
      exchange ? { request, info, journal, exchange, response } : { request, info, journal, response },
    );
    return response;
  };
}

const arrived = ({
  request,
  info,
  journal,
  user,
}: Pick<Exchange, 'request' | 'info' | 'journal' | 'user'>): Exchange => ({
  request,
  info,
  journal,
  progress: {},
  user,
  target: null,
  options: noOptions,
  deadline: noDeadline,
  object: null,
  current: null,
  response: null,
});

type Outcome = Pick<Finished, 'exchange' | 'response'>;
type Answer = (exchange: Exchange) => Promise<Result<Exchange>>;

async function respond(answer: Answer, exchange: Exchange): Promise<Outcome> {
  const result = await answer(exchange);
  if (!result.ok) {
    const { refusal, reached = exchange } = exchange.progress;
    const furthest = refusal === result.status ? reached : exchange;
    return { exchange: furthest, response: statusResponse(result.status, exchange.journal) };
  }
  return { exchange: result.value, response: withWarnings(result.value) };
}

/** Who asks, as whom, and whether they may. Follows apiserver pkg/server/config.go (rule PATH-1). */
async function admitUser(rooms: Rooms, request: ApiRequest, info: RequestInfo): Promise<Result<UserInfo>> {
  const authenticated = request.as ? ok(request.as) : await rooms.authenticate(request);
  if (!authenticated.ok) return authenticated;
  const user = rooms.impersonate(authenticated.value, request);
  if (!user.ok) return user;
  const question = questionOf(info, user.value);
  const decision = rooms.authorize(question);
  return decision.allowed ? user : refuse(notAllowed(question, decision.reason));
}

/** Documents for plain paths, the stages of its verb for a resource. */
function createAnswer(rooms: Rooms): Answer {
  const pipeline = createPipeline(rooms);
  const resolve = resolveTarget(rooms);
  return async (exchange) => {
    const { info, request } = exchange;
    if (info.type === 'path')
      return ok({ ...exchange, response: (await rooms.serveDocument(request, exchange.user)) ?? pageNotFound });
    if (!rooms.catalogue.hasVersion(info.group, info.version)) return ok({ ...exchange, response: pageNotFound });
    const resolved = await runStages([resolve], exchange);
    if (!resolved.ok || !resolved.value.target) return resolved;
    const stages = stagesFor(pipeline, resolved.value.target);
    return stages ? runStages(stages, resolved.value) : refuse(methodNotAllowed());
  };
}

const pageNotFound: ApiResponse = {
  type: 'document',
  code: 404,
  contentType: 'text/plain; charset=utf-8',
  body: '404 page not found\n',
};

function withWarnings({ response, journal }: Exchange): ApiResponse {
  if (!response) throw new Error('the pipeline ended without an answer');
  return response.type === 'object' ? { ...response, warnings: journal.warnings() } : response;
}

const statusResponse = (status: Status, journal: Journal): ApiResponse => ({
  type: 'status',
  status,
  warnings: journal.warnings(),
});

function questionOf(info: RequestInfo, user: UserInfo): AuthorizationQuestion {
  if (info.type === 'path') return { type: 'path', user, verb: info.verb, path: info.path };
  const { verb, group, version, resource, subresource, namespace, name } = info;
  return { type: 'resource', user, verb, group, version, resource, subresource, namespace, name };
}
