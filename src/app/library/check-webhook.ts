import { type StubPlan, planOf } from '../../testing/stubs/plan.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { WebhookFunction, WebhookOptions } from './webhook.ts';

// Checks for programs without types.

/** Throws ConfigError for invalid options. */
export function checkOptions(name: string, { type, rules }: WebhookOptions): void {
  if (!['mutating', 'validating'].includes(type)) {
    throw new ConfigError(`webhook ${name}: type must be 'mutating' or 'validating'`);
  }
  if (!Array.isArray(rules) || rules.some((rule) => !Array.isArray(rule?.resources))) {
    const example = "[{ operations: ['CREATE'], resources: ['pods'] }]";
    throw new ConfigError(`webhook ${name}: rules must be a list such as ${example}`);
  }
}

/** Throws ConfigError unless `answer` is a function and the faults are valid. */
export function checkAnswer(name: string, answer: WebhookFunction, faults: readonly Fault[]): void {
  if (typeof answer !== 'function') throw new ConfigError(`webhook ${name}: the third argument must be a function`);
  checkFaults(name, faults);
}

/** Throws ConfigError for an unknown fault. */
export function checkFaults(name: string, faults: readonly Fault[]): void {
  const unknown = faults.find((fault) => !isKnown(fault));
  if (unknown === undefined) return;
  const example = "{ what: { type: 'hang' } }";
  throw new ConfigError(`webhook ${name}: ${JSON.stringify(unknown)} is not a fault; use one such as ${example}`);
}

function isKnown(fault: Fault): boolean {
  try {
    const plan: StubPlan | undefined = planOf(fault.what, () => 0);
    return plan !== undefined;
  } catch {
    return false;
  }
}
