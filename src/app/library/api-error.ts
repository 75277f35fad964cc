import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import type { Answer } from './client.ts';
import type { TraceWithShortcuts } from './trace-with-shortcuts.ts';

/** The server refused a request. `message` is its Status's: the text that kubectl prints after `Error from server`. */
export class ApiError extends Error {
  /** The HTTP status. */
  readonly code: number;
  /** `Forbidden`, `Invalid`, `NotFound`, …; '' when the server gave none. */
  readonly reason: string;
  /** The whole Status. */
  readonly status: JsonObject;
  /** The fields that an Invalid (422) names, with what is wrong with each. */
  readonly causes: readonly JsonObject[];
  readonly warnings: readonly string[];
  /** What happened to the request; undefined for a read. */
  readonly trace: TraceWithShortcuts | undefined;

  constructor({ code, body, warnings, trace }: Answer) {
    super(asString(body['message']) || `the server answered ${code}`);
    this.name = 'ApiError';
    this.code = code;
    this.reason = asString(body['reason']);
    this.status = body;
    this.causes = asList(asObject(body['details'])['causes']).map(asObject);
    this.warnings = warnings;
    this.trace = trace;
  }
}
