import type { JsonObject } from '../../machinery/json/json.ts';

/** Policies from a test of another tool, and the requests to evaluate them with. */
export interface ImportedTest {
  readonly name: string;
  readonly from: string;
  /** Stored in each of its worlds: policies, bindings, definitions, configurations. */
  readonly load: readonly JsonObject[];
  readonly cases: readonly ImportedCase[];
  /** What could not be carried over, or only with a change, and why. */
  readonly notes: readonly string[];
}

/** Cases share a world unless they store different objects under one name. */
export interface ImportedCase {
  /** Stored before the first step: namespaces, parameters, what is updated or deleted. */
  readonly before: readonly JsonObject[];
  /** Steps of a scenario.yaml, with their objects inline. */
  readonly steps: readonly JsonObject[];
  /** The objects as the other tool evaluates them without a server. */
  readonly evaluated?: readonly JsonObject[];
}
