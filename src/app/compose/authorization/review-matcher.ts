import type { compileReviewCondition, Compiled, evaluate } from '../../../cel/index.ts';
import { asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { aggregateText } from '../../../apiserver/auth/authorizer.ts';
import type { WebhookAuthorization } from '../../../apiserver/auth/webhook/webhook-authorizer.ts';

export interface ConditionEngine {
  readonly compileReviewCondition: typeof compileReviewCondition;
  readonly evaluate: typeof evaluate;
}

type Matches = WebhookAuthorization['matches'];

/** Ours: upstream has no limit. */
const costLimit = 1_000_000;

/**
 * Whether to call the webhook: one false condition outweighs all errors. The conditions compile.
 * Follows apiserver pkg/authorization/cel/matcher.go.
 */
export function createReviewMatcher(conditions: readonly string[], engine: ConditionEngine): Matches {
  const programs = conditions.flatMap((expression) => {
    const compilation = engine.compileReviewCondition(expression);
    return compilation.outcome === 'compiled' ? { expression, compiled: compilation.compiled } : [];
  });
  return (spec) => evaluateConditions(programs, reviewVariable(spec), engine.evaluate);
}

/** For a webhook without conditions. */
export const matchesAll: Matches = () => ({ outcome: 'matched' });

interface ConditionProgram {
  readonly expression: string;
  readonly compiled: Compiled;
}

function evaluateConditions(
  programs: readonly ConditionProgram[],
  request: JsonObject,
  run: ConditionEngine['evaluate'],
): ReturnType<Matches> {
  const errors: string[] = [];
  for (const { expression, compiled } of programs) {
    const result = run(compiled, (name) => (name === 'request' ? request : undefined), { costLimit });
    if (result.outcome === 'value' && result.value !== true) return { outcome: 'skipped' };
    if (result.outcome === 'error') {
      errors.push(`cel evaluation error: expression '${expression}' resulted in error: ${result.error}`);
    }
  }
  return errors.length === 0 ? { outcome: 'matched' } : { outcome: 'failed', error: aggregateText(errors) };
}

const attributes = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'];

/** The spec with all its texts, also those that are empty. Follows apiserver pkg/authorization/cel/compile.go. */
function reviewVariable({ resourceAttributes, nonResourceAttributes, ...spec }: JsonObject): JsonObject {
  const whole = { user: '', uid: '', groups: [], extra: {}, ...spec };
  if (resourceAttributes === undefined) {
    return { ...whole, nonResourceAttributes: { path: '', verb: '', ...asObject(nonResourceAttributes) } };
  }
  const { fieldSelector, labelSelector, ...values } = asObject(resourceAttributes);
  const texts = Object.fromEntries(attributes.map((name) => [name, asString(values[name])]));
  return {
    ...whole,
    resourceAttributes: {
      ...texts,
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
    },
  };
}
