import { type ClientFaults, createClientFaults, type InjectedFault } from '../server/client-faults.ts';
import { readApiFault } from '../../testing/stubs/read-api-fault.ts';
import type { ApiFault } from '../../testing/stubs/api-fault.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';

/** Faults of the API for clients over HTTPS, except the `client` of this process and kadmit's controllers. */
export interface KadmitFaults {
  /** Faults of the following requests, counted from 1 again; [] for none. Throws ConfigError for an invalid fault. */
  readonly set: (faults: readonly ApiFault[]) => void;
  /** The faults since `set`, oldest first: the last thousand. */
  readonly injected: () => readonly InjectedFault[];
}

/** `reset` restores the `first` faults. Throws ConfigError like `set`. */
export function createKadmitFaults(
  first: readonly ApiFault[],
  seed: number,
): { readonly server: ClientFaults; readonly faults: KadmitFaults; readonly reset: () => void } {
  const server = createClientFaults(checkFaultList('startKadmit: apiFaults', first), seed);
  return {
    server,
    faults: { set: (faults) => server.set(checkFaultList('apiFaults.set', faults)), injected: server.injected },
    reset: () => server.set(first),
  };
}

function checkFaultList(what: string, faults: readonly ApiFault[]): readonly ApiFault[] {
  if (!Array.isArray(faults)) throw new ConfigError(`${what} takes a list of faults`);
  return faults.map((fault: unknown, index) => {
    const reading = readApiFault(fault as JsonValue);
    if (reading.outcome === 'wrong') throw new ConfigError(`${what}[${index}]: ${reading.problem}`);
    return reading.fault;
  });
}
