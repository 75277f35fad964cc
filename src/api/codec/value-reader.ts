import type { JsonDocument, JsonValue } from '../../machinery/json/json.ts';

/** Set when anything was wrong or unknown; the reader goes on, and diagnose-decode.ts then says what it was. */
export interface Anomaly {
  found: boolean;
}

/** Reads values of one type into the form in which Go's encoder prints them. */
export interface ValueReader {
  /** A value other than null. */
  readonly read: (value: JsonDocument, anomaly: Anomaly) => JsonValue;
  /** What Go prints for null or nothing. A fresh value each time. */
  readonly zero: () => JsonValue;
  /** Does `omitempty` leave it out? */
  readonly isEmpty: (value: JsonValue) => boolean;
}
