import { asObject, type JsonObject } from '../../machinery/json/json.ts';
import { withoutServerMetadata } from '../../machinery/meta/object.ts';
import { type FieldChange, changesBetween } from './object-diff.ts';
import { hasChanged, statesOf } from './object-states.ts';
import { mapStrings, withoutRandomName } from './secret-values.ts';
import type { Trace, TracedPolicy, TracedWebhook } from './trace.ts';

/** Two requests side by side, for instance before and after a change of configurations. */
export interface RunsComparison {
  /** In the order of the first run; those of only the second run follow their predecessors there. */
  readonly callees: readonly ComparedCallee[];
  readonly warnings: readonly ComparedWarning[];
  /** From the first result to the second, without fields of the server. */
  readonly changes: readonly FieldChange[];
}

/** A webhook or policy in both runs; undefined: not called. */
export interface ComparedCallee {
  readonly phase: 'mutating' | 'validating';
  /** `CONFIGURATION/WEBHOOK`, or the name of a policy. */
  readonly name: string;
  readonly type: 'webhook' | 'policy';
  readonly sides: readonly [CalleeResult | undefined, CalleeResult | undefined];
  /** Time does not count. */
  readonly differs: boolean;
}

/** The result over both rounds. */
export interface CalleeResult {
  /** Of the last call: `called`, `denied`, `failed-open`, … */
  readonly outcome: string;
  readonly times: number;
  readonly milliseconds: number;
  readonly changed: boolean;
}

export interface ComparedWarning {
  readonly text: string;
  /** Whether the first and the second run have it. */
  readonly in: readonly [boolean, boolean];
}

export function compareRuns(one: Trace, other: Trace): RunsComparison {
  const sides = [turnsOf(one), turnsOf(other)] as const;
  const texts = [...new Set([...one.response.warnings, ...other.response.warnings])];
  return {
    callees: inOrder([...sides[0].keys()], [...sides[1].keys()]).map((key) => {
      const [first, second] = [sides[0].get(key), sides[1].get(key)];
      const { phase = 'mutating', type = 'webhook', name = '' } = first?.callee ?? second?.callee ?? {};
      const turns = [first?.turn, second?.turn] as const;
      return { phase, type, name, sides: turns, differs: isOther(...turns) };
    }),
    warnings: texts.map((text) => ({
      text,
      in: [one.response.warnings.includes(text), other.response.warnings.includes(text)],
    })),
    changes: changesBetween(objectOf(one), objectOf(other)),
  };
}

const objectOf = ({ objectAfter }: Trace): JsonObject | undefined =>
  objectAfter === null ? undefined : asObject(mapStrings(withoutServerMetadata(objectAfter), withoutRandomName));

const isOther = (one: CalleeResult | undefined, other: CalleeResult | undefined): boolean =>
  one?.outcome !== other?.outcome || one?.times !== other?.times || one?.changed !== other?.changed;

interface Asked {
  readonly callee: Pick<ComparedCallee, 'phase' | 'name' | 'type'>;
  readonly turn: CalleeResult;
}

function turnsOf(trace: Trace): ReadonlyMap<string, Asked> {
  const found = new Map<string, Asked>();
  const states = statesOf(trace);
  for (const [at, decision] of trace.admission.entries()) {
    if (decision.type === 'plugin' || decision.outcome === 'skipped') continue;
    const { phase, type, outcome, milliseconds } = decision;
    const name = nameOf(decision);
    const key = `${phase} ${type} ${name}`;
    const before = found.get(key)?.turn;
    const turn = {
      outcome,
      times: (before?.times ?? 0) + 1,
      milliseconds: (before?.milliseconds ?? 0) + milliseconds,
      changed: before?.changed === true || hasChanged(decision, states[at]),
    };
    found.set(key, { callee: { phase, type, name }, turn });
  }
  return found;
}

const nameOf = (decision: TracedWebhook | TracedPolicy): string =>
  decision.type === 'webhook' ? `${decision.configuration}/${decision.name}` : decision.name;

/** The first list, with the items of only the second one inserted after their predecessors. */
function inOrder(first: readonly string[], second: readonly string[]): readonly string[] {
  const all = [...first];
  for (const [at, key] of second.entries()) {
    if (all.includes(key)) continue;
    const before = second[at - 1];
    all.splice(before === undefined ? 0 : all.indexOf(before) + 1, 0, key);
  }
  return all;
}
