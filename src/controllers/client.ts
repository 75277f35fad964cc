import type { NewUid, Clock } from '../machinery/clock.ts';
import type { JsonDocument, JsonObject } from '../machinery/json/json.ts';
import { writeJson } from '../machinery/json/json-writer.ts';
import { ok, refuse, type Result } from '../machinery/meta/result.ts';
import type { ApiRequest } from '../apiserver/request/api-request.ts';
import type { Handle } from '../apiserver/request/handle.ts';
import { createAbortSignals } from './abort-signals.ts';

export interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A list for a JSON patch. */
  readonly body?: RequestBody | readonly JsonDocument[];
  /** Default: JSON. */
  readonly contentType?: string;
}

export type RequestBody = { readonly [field: string]: JsonDocument | undefined };

/** Sends requests through the whole pipeline as one user, like requests from the network. */
export type ApiClient = (apiRequest: ClientRequest) => Promise<Result<JsonObject>>;

export type User = NonNullable<ApiRequest['as']>;

export interface ClientPorts {
  readonly handle: Handle;
  readonly clock: Clock;
  readonly newUid: NewUid;
  /** Aborts running requests. */
  readonly signal: AbortSignal;
}

/** `userAgent` names the field manager. */
export function createClientFactory({
  handle,
  clock,
  newUid,
  signal,
}: ClientPorts): (user: User, userAgent: string) => ApiClient {
  return (user, userAgent) =>
    async ({ method, path, query, body, contentType = 'application/json' }) => {
      const response = await createAbortSignals(signal).withSignal((own) =>
        handle({
          method,
          path,
          query: new URLSearchParams(query),
          headers: { 'user-agent': userAgent, ...(body ? { 'content-type': contentType } : {}) },
          body: body ? encoder.encode(writeJson(body)) : noBytes,
          as: user,
          certificate: undefined,
          auditId: newUid(),
          receivedAt: clock.now(),
          signal: own,
        }),
      );
      if (response.type === 'object') return ok(response.body);
      if (response.type === 'status') {
        return response.status.status === 'Success' ? ok(response.status) : refuse(response.status);
      }
      throw new Error(`${method} ${path} was answered with a ${response.type}`);
    };
}

const encoder = new TextEncoder();
const noBytes = new Uint8Array();

const createUser = (username: string, ...groups: readonly string[]): User => ({
  username,
  uid: '',
  groups: [...groups, 'system:authenticated'],
  extra: {},
});

/** The ServiceAccount of one of upstream's controllers. Follows pkg/serviceaccount/util.go. */
export const controllerUser = (name: string): User =>
  createUser(
    `system:serviceaccount:kube-system:${name}`,
    'system:serviceaccounts',
    'system:serviceaccounts:kube-system',
  );

/** Upstream's controllers are one program, with one field manager. */
export const controllerManager = 'kube-controller-manager';

/** The user of the API server's own requests. Follows apiserver pkg/authentication/user/user.go APIServerUser. */
export const apiserverUser = createUser('system:apiserver', 'system:masters');

/** The user of the kubeconfig, who loads manifests. */
export const kubeconfigUser = createUser('kubernetes-admin', 'system:masters');

export const schedulerUser = createUser('system:kube-scheduler');

export const nodeUser = (node: string): User => createUser(`system:node:${node}`, 'system:nodes');
