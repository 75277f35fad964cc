import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

export interface Recording {
  /** Become steps, oldest first (chooseWrites). */
  readonly writes: readonly Trace[];
  /** All traces of the server, oldest first. */
  readonly traces: readonly Trace[];
  /** Current objects of wantedObjects. */
  readonly found: readonly JsonObject[];
  readonly name: string;
  readonly description: string;
  /** For the first line, which editors read. */
  readonly schema: string;
  /** Adds a golden file to each step that leaves an object. */
  readonly golden: boolean;
  /** Does not mask Secrets. */
  readonly reveal: boolean;
}

/** File texts by path, and notes for the reader. */
export interface RecordedScenario {
  readonly files: ReadonlyMap<string, string>;
  readonly steps: number;
  readonly webhooks: number;
  readonly notes: readonly string[];
}
