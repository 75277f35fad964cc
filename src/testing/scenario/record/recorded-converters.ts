import { asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

/** The entry of a scenario for the converters that its writes asked, and what to know about it. */
export interface RecordedConverters {
  readonly entry: JsonObject;
  readonly notes: readonly string[];
}

/** A stub for the converter of each of these definitions that was asked. Traces tell who converted, not what came of it. */
export function convertersOf(definitions: readonly JsonObject[], writes: readonly Trace[]): RecordedConverters {
  const asked = new Set(
    writes.flatMap(({ conversions = [] }) =>
      conversions.flatMap(({ strategy, definition }) => (strategy === 'Webhook' ? [definition] : [])),
    ),
  );
  const names = definitions.map((one) => asString(valueAt(one, 'metadata', 'name'))).filter((name) => asked.has(name));
  if (names.length === 0) return { entry: {}, notes: [] };
  return {
    entry: { converters: names.map((definition) => ({ definition })) },
    notes: names.map(
      (name) =>
        `the stub converter of ${name} changes the apiVersion alone, as traces do not hold what the real one answered: give it \`does: { script: ./convert.js }\``,
    ),
  };
}
