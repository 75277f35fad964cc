import { goQuote } from '../../apimachinery/field-error.ts';
import type { Steps } from '../../apimachinery/pause.ts';
import { valuesAStep } from './checked.ts';
import type { Checked } from './checked.ts';
import { asWhole, complain, noFindings } from './findings.ts';
import type { Findings } from './findings.ts';
import type { ValueSchema } from './value-schema.ts';

export const hasBranches = ({ anyOf, oneOf, allOf, not }: ValueSchema): boolean =>
  not !== undefined || anyOf.length > 0 || oneOf.length > 0 || allOf.length > 0;

/** anyOf, oneOf, allOf and not, in this order. Follows kube-openapi pkg/validation/validate/schema_props.go. */
export function* checkBranches(checked: Checked, schema: ValueSchema, findings: Findings): Steps<void> {
  if (schema.anyOf.length > 0) yield* checkAnyOf(checked, schema.anyOf, findings);
  if (schema.oneOf.length > 0) yield* checkOneOf(checked, schema.oneOf, findings);
  if (schema.allOf.length > 0) yield* checkAllOf(checked, schema.allOf, findings);
  if (schema.not !== undefined && (yield* outcomeOf(checked, schema.not)).errors.length === 0) {
    complain(findings, asWhole(`${goQuote(checked.path)} must not validate the schema (not)`));
  }
}

/** Inside a branch nothing is forgiven. */
function* outcomeOf({ value, path, check }: Checked, schema: ValueSchema): Steps<Findings> {
  const outcome = noFindings();
  const more = check({ value, path, correlated: undefined, check }, schema, outcome);
  if (more) yield* more;
  return outcome;
}

function* outcomesOf(checked: Checked, branches: readonly ValueSchema[]): Steps<readonly Findings[]> {
  const outcomes: Findings[] = [];
  for (const branch of branches) {
    outcomes.push(yield* outcomeOf(checked, branch));
    if (outcomes.length % valuesAStep === 0) yield;
  }
  return outcomes;
}

function merge(into: Findings, from: Findings | undefined): void {
  if (from === undefined) return;
  for (const error of from.errors) complain(into, error);
  into.matches += from.matches;
}

/** The failure with the most checks passed; of equals the first. */
const better = (best: Findings | undefined, next: Findings): Findings =>
  best === undefined || next.matches > best.matches ? next : best;

function* checkAnyOf(checked: Checked, branches: readonly ValueSchema[], findings: Findings): Steps<void> {
  let best: Findings | undefined;
  for (const [index, branch] of branches.entries()) {
    if (index % valuesAStep === valuesAStep - 1) yield;
    const outcome = yield* outcomeOf(checked, branch);
    if (outcome.errors.length === 0) return merge(findings, outcome);
    best = better(best, outcome);
  }
  complain(findings, asWhole(`${goQuote(checked.path)} must validate at least one schema (anyOf)`));
  merge(findings, best);
}

function* checkOneOf(checked: Checked, branches: readonly ValueSchema[], findings: Findings): Steps<void> {
  const outcomes = yield* outcomesOf(checked, branches);
  const valid = outcomes.filter(({ errors }) => errors.length === 0);
  if (valid.length === 1) return merge(findings, valid[0]);
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  complain(findings, asWhole(`${goQuote(checked.path)} must validate one and only one schema (oneOf). ${found}`));
  if (valid.length > 0) return;
  let best: Findings | undefined;
  for (const outcome of outcomes) best = better(best, outcome);
  merge(findings, best);
}

function* checkAllOf(checked: Checked, branches: readonly ValueSchema[], findings: Findings): Steps<void> {
  const outcomes = yield* outcomesOf(checked, branches);
  for (const outcome of outcomes) merge(findings, outcome);
  const valid = outcomes.filter(({ errors }) => errors.length === 0).length;
  if (valid === branches.length) return;
  const none = valid === 0 ? '. None validated' : '';
  complain(findings, asWhole(`${goQuote(checked.path)} must validate all the schemas (allOf)${none}`));
}
