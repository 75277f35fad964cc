import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

/** What a scenario is made of. */
export interface Recording {
  /** The writes that become steps, oldest first (chooseWrites). */
  readonly writes: readonly Trace[];
  /** All traces of the server, oldest first: what else happened meanwhile. */
  readonly traces: readonly Trace[];
  /** What the server holds now of wantedObjects. */
  readonly found: readonly JsonObject[];
  readonly name: string;
  readonly description: string;
  /** What the first line of the scenario names, for editors. */
  readonly schema: string;
  /** Each step that leaves an object has a golden file. */
  readonly golden: boolean;
  /** Secrets stand there as they are. */
  readonly reveal: boolean;
}

/** The files of a scenario by their paths in its folder, and what their reader should know about them. */
export interface RecordedScenario {
  readonly files: ReadonlyMap<string, string>;
  readonly steps: number;
  readonly webhooks: number;
  readonly notes: readonly string[];
}
