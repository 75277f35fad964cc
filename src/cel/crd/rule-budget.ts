import { forbiddenField } from '../../machinery/meta/field-error.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';

/** What one expression of a schema costs at most, however often values of its schema can stand in a resource. */
export interface ExpressionCost {
  readonly path: string;
  readonly cost: bigint;
}

const expressionLimit = 10_000_000n;
const totalLimit = 100_000_000n;
const largest = 2n ** 64n - 1n;

/** The cost of an expression that can run so often; stays at the largest number. */
export function repeated(cost: bigint, times: bigint): bigint {
  const product = cost * times;
  return product > largest ? largest : product;
}

/** The complaint about an expression that is too dear by itself. Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go. */
export const expressionCostErrors = (
  kind: 'rule' | 'messageExpression',
  { path, cost }: ExpressionCost,
): readonly FieldError[] =>
  cost > expressionLimit ? [forbiddenField(path, exceeded(`estimated ${kind} cost`, cost, expressionLimit))] : [];

const mostNamed = 4;

/** The complaints about a schema whose expressions are too dear together, the dearest of them first. */
export function totalCostErrors(costs: readonly ExpressionCost[], schemaPath: string): readonly FieldError[] {
  const sum = costs.reduce((total, { cost }) => total + cost, 0n);
  const total = sum > largest ? largest : sum;
  if (total <= totalLimit) return [];
  const dear = costs.filter(({ cost }) => cost >= totalLimit / 100n);
  const dearest = dear.toSorted((a, b) => Number(b.cost > a.cost) - Number(b.cost < a.cost)).slice(0, mostNamed);
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...dearest.map(({ path }) => forbiddenField(path, contributed)),
    forbiddenField(schemaPath, exceeded(name, total, totalLimit)),
  ];
}

const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';

const exceeded = (name: string, cost: bigint, limit: bigint): string =>
  `${name} exceeds budget by factor of ${factorText(Number(cost) / Number(limit))} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
}
