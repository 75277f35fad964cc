import { goQuote } from '../../../machinery/meta/field-error.ts';
import type { Checked } from './checked.ts';
import { asWhole, complain, noFindings } from './findings.ts';
import type { Findings } from './findings.ts';
import type { ValueSchema } from './value-schema.ts';

export const hasBranches = ({ anyOf, oneOf, allOf, not }: ValueSchema): boolean =>
  not !== undefined || anyOf.length > 0 || oneOf.length > 0 || allOf.length > 0;

/** anyOf, oneOf, allOf and not, in this order. Follows kube-openapi pkg/validation/validate/schema_props.go. */
export function checkBranches(checked: Checked, schema: ValueSchema, findings: Findings): void {
  if (schema.anyOf.length > 0) checkAnyOf(checked, schema.anyOf, findings);
  if (schema.oneOf.length > 0) checkOneOf(checked, schema.oneOf, findings);
  if (schema.allOf.length > 0) checkAllOf(checked, schema.allOf, findings);
  if (schema.not !== undefined && outcomeOf(checked, schema.not).errors.length === 0) {
    complain(findings, asWhole(`${goQuote(checked.path)} must not validate the schema (not)`));
  }
}

/** Inside a branch nothing is forgiven. */
function outcomeOf({ value, path, check }: Checked, schema: ValueSchema): Findings {
  const outcome = noFindings();
  check({ value, path, correlated: undefined, check }, schema, outcome);
  return outcome;
}

function outcomesOf(checked: Checked, branches: readonly ValueSchema[]): readonly Findings[] {
  const outcomes: Findings[] = [];
  for (const branch of branches) {
    outcomes.push(outcomeOf(checked, branch));
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

function checkAnyOf(checked: Checked, branches: readonly ValueSchema[], findings: Findings): void {
  let best: Findings | undefined;
  for (const branch of branches) {
    const outcome = outcomeOf(checked, branch);
    if (outcome.errors.length === 0) return merge(findings, outcome);
    best = better(best, outcome);
  }
  complain(findings, asWhole(`${goQuote(checked.path)} must validate at least one schema (anyOf)`));
  merge(findings, best);
}

function checkOneOf(checked: Checked, branches: readonly ValueSchema[], findings: Findings): void {
  const outcomes = outcomesOf(checked, branches);
  const valid = outcomes.filter(({ errors }) => errors.length === 0);
  if (valid.length === 1) return merge(findings, valid[0]);
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  complain(findings, asWhole(`${goQuote(checked.path)} must validate one and only one schema (oneOf). ${found}`));
  if (valid.length > 0) return;
  let best: Findings | undefined;
  for (const outcome of outcomes) best = better(best, outcome);
  merge(findings, best);
}

function checkAllOf(checked: Checked, branches: readonly ValueSchema[], findings: Findings): void {
  const outcomes = outcomesOf(checked, branches);
  for (const outcome of outcomes) merge(findings, outcome);
  const valid = outcomes.filter(({ errors }) => errors.length === 0).length;
  if (valid === branches.length) return;
  const none = valid === 0 ? '. None validated' : '';
  complain(findings, asWhole(`${goQuote(checked.path)} must validate all the schemas (allOf)${none}`));
}
