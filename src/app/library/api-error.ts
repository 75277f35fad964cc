import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import type { Answer } from './client.ts';
import type { TraceWithShortcuts } from './traces.ts';

/** A refused request. `message` is that of the Status, which kubectl prints after `Error from server`. */
export class ApiError extends Error {
  /** The HTTP status. */
  readonly code: number;
  /** `Forbidden`, `Invalid`, `NotFound`, …; '' when absent. */
  readonly reason: string;
  readonly status: JsonObject;
  /** The invalid fields of a 422, each with its problem. */
  readonly causes: readonly JsonObject[];
  readonly warnings: readonly string[];
  /** undefined for a read. */
  readonly trace: TraceWithShortcuts | undefined;

  constructor({ code, body, warnings, trace }: Answer) {
    super(asString(body['message']) || `the server responded with ${code}`);
    this.name = 'ApiError';
    this.code = code;
    this.reason = asString(body['reason']);
    this.status = body;
    this.causes = asList(asObject(body['details'])['causes']).map(asObject);
    this.warnings = warnings;
    this.trace = trace;
  }
}
