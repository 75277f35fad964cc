import { sameJson } from '../../machinery/json/json-equal.ts';
import { compareTexts } from '../../machinery/go/strings.ts';
import { asList, asObject, asString, type JsonObject, setOwn } from '../../machinery/json/json.ts';
import { ownValue } from '../../machinery/meta/object.ts';
import { type EvaluationRecord, type ExpressionCoverage, expressionCoverage } from './expression-coverage.ts';
import type { Trace, TracedPolicy } from './trace.ts';

/** How far some requests exercised one admission policy, with its last definition. */
export interface PolicyCoverage {
  readonly phase: 'mutating' | 'validating';
  readonly name: string;
  /** Each binding with each parameter object counts. */
  readonly considered: number;
  readonly outcomes: Readonly<Record<TracedPolicy['outcome'], number>>;
  readonly skippedBecause: Readonly<Record<string, number>>;
  readonly conditions: readonly ExpressionCoverage[];
  /** Only use is counted, unless branches are. */
  readonly variables: readonly ExpressionCoverage[];
  readonly validations: readonly ExpressionCoverage[];
}

interface Subject {
  readonly phase: PolicyCoverage['phase'];
  readonly name: string;
  readonly definition: JsonObject;
  readonly seen: TracedPolicy[];
}

/** The coverage of policies, from their last change on. */
export function createPolicyCoverage() {
  const subjects = new Map<string, Subject>();
  return {
    add: (trace: Trace): void => {
      for (const decision of trace.admission) {
        if (decision.type !== 'policy' || decision.reason?.because === 'exempt') continue;
        const { phase, name, definition = {} } = decision;
        findSubject(subjects, { phase, name, definition, seen: [] }).seen.push(decision);
      }
      const written = writtenIn(trace);
      if (written) findSubject(subjects, written);
    },
    coverage(): readonly PolicyCoverage[] {
      const coverage: PolicyCoverage[] = [];
      const inOrder = [...subjects.values()].toSorted(
        (a, b) => compareTexts(a.phase, b.phase) || compareTexts(a.name, b.name),
      );
      for (const subject of inOrder) {
        coverage.push(coverageOfSubject(subject));
      }
      return coverage;
    },
  };
}

const phases: ReadonlyMap<string, PolicyCoverage['phase']> = new Map([
  ['mutatingadmissionpolicies', 'mutating'],
  ['validatingadmissionpolicies', 'validating'],
]);

/** The policy that this request stored. */
function writtenIn({ request, verdict, objectAfter }: Trace): Subject | undefined {
  const phase = phases.get(request.resource);
  if (phase === undefined || request.subresource !== '' || verdict === 'refused' || request.dryRun) return undefined;
  if (request.verb.startsWith('delete') || !objectAfter) return undefined;
  const name = asString(asObject(objectAfter['metadata'])['name']);
  return { phase, name, definition: asObject(objectAfter['spec']), seen: [] };
}

/** The subject of this name, replaced when its definition changed. */
function findSubject(found: Map<string, Subject>, subject: Subject): Subject {
  const key = `${subject.phase}\n${subject.name}`;
  const known = found.get(key);
  if (known && sameJson(known.definition, subject.definition)) return known;
  found.set(key, subject);
  return subject;
}

function coverageOfSubject({ phase, name, definition, seen }: Subject): PolicyCoverage {
  const outcome = (wanted: TracedPolicy['outcome']): number => seen.filter((one) => one.outcome === wanted).length;
  return {
    phase,
    name,
    considered: seen.length,
    outcomes: {
      evaluated: outcome('evaluated'),
      skipped: outcome('skipped'),
      'failed-open': outcome('failed-open'),
      'failed-closed': outcome('failed-closed'),
      denied: outcome('denied'),
    },
    skippedBecause: tally(seen.flatMap(({ reason }) => (reason ? [reason.because] : []))),
    conditions: namedCoverage(definition, 'matchConditions', seen, ({ conditions = [] }, wanted) =>
      conditions.filter(({ condition }) => condition === wanted),
    ),
    variables: namedCoverage(definition, 'variables', seen, ({ variables = [] }, wanted) =>
      variables.filter((variable) => variable.name === wanted),
    ),
    validations: asList(definition['validations']).map((entry, index) =>
      expressionCoverage(
        `validations[${index}]`,
        entry,
        seen.flatMap(({ validations = [] }) => validations[index] ?? []),
      ),
    ),
  };
}

type RecordsOf = (traced: TracedPolicy, name: string) => readonly EvaluationRecord[];

const namedCoverage = (
  definition: JsonObject,
  list: string,
  seen: readonly TracedPolicy[],
  recordsOf: RecordsOf,
): readonly ExpressionCoverage[] =>
  asList(definition[list]).map((entry) => {
    const name = asString(asObject(entry)['name']);
    return expressionCoverage(
      name,
      entry,
      seen.flatMap((traced) => recordsOf(traced, name)),
    );
  });

export function tally(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const text of texts) setOwn(counts, text, (ownValue(counts, text) ?? 0) + 1);
  return counts;
}
