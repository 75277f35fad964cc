import type { JsonObject } from '../../machinery/json/json.ts';

/** Tests of another tool that stand together: policies, and requests that are to be judged by them. */
export interface ImportedTest {
  readonly name: string;
  /** The file or folder that it was read from. */
  readonly from: string;
  /** Policies and bindings, definitions and configurations: what is loaded in each of its worlds. */
  readonly load: readonly JsonObject[];
  readonly cases: readonly ImportedCase[];
  /** What could not be carried over, or only with a change; each says what and why. */
  readonly notes: readonly string[];
}

/** What needs a world without the other cases only if they store something else under one name. */
export interface ImportedCase {
  /** Stored before the first step: namespaces, parameters, what is updated or deleted. */
  readonly before: readonly JsonObject[];
  /** As a scenario.yaml has them, objects written out. */
  readonly steps: readonly JsonObject[];
}
