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
  /** undefined when nobody could be made out. */
  readonly user: UserInfo | undefined;
  /** How far the request came; undefined when it was refused before its resource was known. */
  readonly exchange: Exchange | undefined;
  readonly response: ApiResponse;
}

export interface Observers {
  readonly finished: (finished: Finished) => void;
  readonly onBug: (request: ApiRequest, error: unknown) => void;
}

export function createHandle(rooms: Rooms, observers: Observers): Handle {
  const pipeline = createPipeline(rooms);
  const resolve = resolveTarget(rooms);

  const admitUser = async (request: ApiRequest, info: RequestInfo): Promise<Result<UserInfo>> => {
    const authenticated = await rooms.authenticate(request);
    if (!authenticated.ok) return authenticated;
    const user = rooms.impersonate(authenticated.value, request);
    if (!user.ok) return user;
    const question = questionOf(info, user.value);
    const decision = rooms.authorize(question);
    return decision.allowed ? user : refuse(notAllowed(question, decision.reason));
  };

  const answer = async (exchange: Exchange): Promise<Result<Exchange>> => {
    if (exchange.info.type === 'path') {
      const document = await rooms.serveDocument(exchange.request);
      return ok({ ...exchange, response: document ?? pageNotFound });
    }
    const { group, version } = exchange.info;
    if (!rooms.catalogue.hasVersion(group, version)) return ok({ ...exchange, response: pageNotFound });
    const resolved = await runStages([resolve], exchange);
    if (!resolved.ok || !resolved.value.target) return resolved;
    const stages = stagesFor(pipeline, resolved.value.target);
    return stages ? runStages(stages, resolved.value) : refuse(methodNotAllowed());
  };

  return async (request) => {
    const journal = createJournal(rooms.clock.now);
    const info = requestInfoOf(request.method, request.path, request.query);
    let user: UserInfo | undefined;
    let exchange: Exchange | undefined;
    let response: ApiResponse;
    try {
      const admitted = await admitUser(request, info);
      if (admitted.ok) {
        user = admitted.value;
        const start: Exchange = {
          request,
          info,
          journal,
          user,
          target: null,
          options: noOptions,
          deadline: Infinity,
          object: null,
          current: null,
          response: null,
        };
        const result = await answer(start);
        exchange = result.ok ? result.value : start;
        response = result.ok ? withWarnings(result.value, journal) : statusResponse(result.status, journal);
      } else {
        response = statusResponse(admitted.status, journal);
      }
    } catch (error) {
      observers.onBug(request, error);
      response = statusResponse(internalError(error instanceof Error ? error.message : String(error)), journal);
    }
    observers.finished({ request, info, journal, user, exchange, response });
    return response;
  };
}

const pageNotFound: ApiResponse = {
  type: 'document',
  code: 404,
  contentType: 'text/plain; charset=utf-8',
  body: '404 page not found\n',
};

function withWarnings({ response }: Exchange, journal: Journal): ApiResponse {
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
