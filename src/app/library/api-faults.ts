import { type ClientFaults, createClientFaults, type StruckRequest } from '../server/client-faults.ts';
import { readApiFault } from '../../testing/stubs/read-api-fault.ts';
import type { ApiFault } from '../../testing/stubs/api-fault.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';

/** What goes wrong at the API for clients over HTTPS. The own `client` and kadmit's controllers are spared. */
export interface KadmitFaults {
  /**
   * What goes wrong from the next request on, counted from 1 again; [] for nothing. Throws a ConfigError for a fault that makes
   * no sense.
   */
  readonly set: (faults: readonly ApiFault[]) => void;
  /** What happened since they were set, oldest first: the last thousand. */
  readonly struck: () => readonly StruckRequest[];
}

/** The faults of a server that begins with `first`, and what goes back to them. Throws ConfigError as `set` does. */
export function createKadmitFaults(
  first: readonly ApiFault[],
  seed: number,
): { readonly server: ClientFaults; readonly faults: KadmitFaults; readonly reset: () => void } {
  const server = createClientFaults(checked('startKadmit: apiFaults', first), seed);
  return {
    server,
    faults: { set: (faults) => server.set(checked('apiFaults.set', faults)), struck: server.struck },
    reset: () => server.set(first),
  };
}

function checked(what: string, faults: readonly ApiFault[]): readonly ApiFault[] {
  if (!Array.isArray(faults)) throw new ConfigError(`${what} takes a list of faults`);
  // A program without types may have put anything there.
  return faults.map((fault: unknown, index) => {
    const reading = readApiFault(fault as JsonValue);
    if (reading.outcome === 'wrong') throw new ConfigError(`${what}[${index}]: ${reading.problem}`);
    return reading.fault;
  });
}
