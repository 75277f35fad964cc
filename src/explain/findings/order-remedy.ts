import { reinvocationPolicyOf } from '../../machinery/meta/webhook-fields.ts';
import type { TracedDecision } from '../trace/trace.ts';

/** How to reorder the two so that `late` is called first. */
export function orderRemedy(early: TracedDecision, late: TracedDecision): string {
  if (early.type === 'policy' && late.type === 'policy') {
    return `policies run in order of their names: rename one so that ${late.name} sorts before ${early.name}`;
  }
  if (early.type !== 'webhook' || late.type !== 'webhook') {
    return 'policies run before webhooks: use policies for both, or webhooks for both';
  }
  if (early.configuration === late.configuration) {
    return `move ${late.name} before ${early.name} in configuration ${early.configuration}`;
  }
  return `configurations run in order of their names: rename one so that ${late.configuration} sorts before ${early.configuration}`;
}

/** Why `late` is called after `early`, following `since`. */
export function whyLater(early: TracedDecision, late: TracedDecision): string {
  if (late.round > early.round) return 'it is called again in the second round';
  if (early.type === 'policy' && late.type === 'policy') return `policy ${late.name} sorts after ${early.name}`;
  if (early.type !== 'webhook' || late.type !== 'webhook') return 'policies run before webhooks';
  return early.configuration === late.configuration
    ? `it is listed later in configuration ${late.configuration}`
    : `configuration ${late.configuration} sorts after ${early.configuration}`;
}

/** Never when it has none, and for plugins. */
export function reinvocationOf(decision: TracedDecision): 'Never' | 'IfNeeded' {
  if (decision.type === 'plugin') return 'Never';
  return reinvocationPolicyOf(decision.definition ?? {});
}

/** Why it is not called again; undefined when only a refusal prevented that. */
export function whyNotAgain(decision: TracedDecision): string | undefined {
  if (reinvocationOf(decision) === 'Never') return 'its reinvocationPolicy is Never';
  return decision.round === 1 ? 'there is no third round' : undefined;
}
