import type { Middleware } from '../../machinery/middleware.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { Status } from '../../machinery/meta/status.ts';
import { apiCallOf } from '../compose/session.ts';
import { type ApiCall, type ApiFault, type ApiFaultKind, resourceTextOf } from '../../testing/stubs/api-fault.ts';
import { readApiFaultSpec } from '../../testing/stubs/read-api-fault.ts';
import { createApiFaults, withApiFaults } from '../../testing/stubs/with-api-faults.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Handle } from '../../apiserver/request/handle.ts';
import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { statusResponse } from '../../adapters/http/json-body.ts';

export interface InjectedFault {
  readonly what: ApiFaultKind['type'];
  readonly verb: string;
  /** `pods`, `deployments.apps`, `pods/status` */
  readonly resource: string;
  /** '' outside a namespace. */
  readonly namespace: string;
  /** '' for a collection. */
  readonly name: string;
}

/** Faults for clients outside the server's process. */
export interface ClientFaults {
  readonly around: (clock: Clock) => Middleware<Handle>;
  /** For the following requests, counted from 1 again; clears `injected`. */
  readonly set: (faults: readonly ApiFault[]) => void;
  /** Oldest first: the last thousand. */
  readonly injected: () => readonly InjectedFault[];
}

const maxInjected = 1000;

/** `seed`: of faults with a probability. */
export function createClientFaults(
  first: readonly ApiFault[],
  seed: number,
  report: (injected: InjectedFault) => void = () => {},
): ClientFaults {
  const faults = createApiFaults(first, seed);
  let any = first.length > 0;
  const injected: InjectedFault[] = [];
  const onInjected = ({ type }: ApiFaultKind, call: ApiCall): void => {
    const { verb, namespace, name } = call;
    const one = { what: type, verb, resource: resourceTextOf(call), namespace, name };
    injected.push(one);
    if (injected.length > maxInjected) injected.shift();
    report(one);
  };
  // Fast path for servers without faults.
  const callOfClient = (request: ApiRequest): ApiCall | undefined => (any ? apiCallOf(request) : undefined);
  return {
    around: (clock) => (handle) => withApiFaults(handle, { faults, clock, callOf: callOfClient, refuse, onInjected }),
    set: (next) => {
      faults.configure(next);
      any = next.length > 0;
      injected.length = 0;
    },
    injected: () => [...injected],
  };
}

/** 429 is plain text. Follows apiserver pkg/server/filters/maxinflight.go. */
function refuse(status: Status): ApiResponse {
  if (status.code !== 429) return statusResponse(status);
  return {
    type: 'document',
    code: 429,
    contentType: 'text/plain; charset=utf-8',
    body: `${status.message}\n`,
    headers: { 'retry-after': String(status.details?.retryAfterSeconds), 'x-content-type-options': 'nosniff' },
  };
}

/** Throws ConfigError for an invalid `--api-fault`. */
export const readApiFaultFlags = ({ apiFault }: ServerConfig): readonly ApiFault[] =>
  apiFault.map((text) => {
    const reading = readApiFaultSpec(text);
    if (reading.outcome === 'wrong') throw new ConfigError(`--api-fault ${JSON.stringify(text)}: ${reading.problem}`);
    return reading.fault;
  });

/** A line for each resource of `--api-fault` that is not served yet. */
export function unservedResourceLines(faults: readonly ApiFault[], catalogue: Catalogue): readonly string[] {
  const served = new Set(catalogue.all().map((row) => resourceTextOf(row)));
  const named = new Set(faults.flatMap(({ resources = [] }) => resources));
  return [...named]
    .filter((resource) => !served.has(resource))
    .map((resource) => `--api-fault: resource ${resource} is not served yet; kubectl api-resources lists the names`);
}

/** `api fault: conflict for update of configmaps default/prices` */
export function injectedLine({ what, verb, resource, namespace, name }: InjectedFault): string {
  const place = [namespace, name].filter((part) => part !== '').join('/');
  return `api fault: ${what} for ${verb} of ${resource}${place === '' ? '' : ` ${place}`}`;
}
