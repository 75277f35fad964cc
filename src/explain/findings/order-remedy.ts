import { asString } from '../../machinery/json/json.ts';
import { reinvocationPolicyOf } from '../../machinery/meta/webhook-fields.ts';
import { refusalIn } from '../trace/trace-summary.ts';
import type { TracedDecision, Trace } from '../trace/trace.ts';
import { actorOf, actorText, isSameActor } from './finding.ts';
import { isCallee } from './conflicts.ts';
import { describeChange, describeField, describeList } from './describe-field.ts';
import { decisionCalled } from './per-item-mutations.ts';
import { createTraceView, type ViewedDecision, type TraceView } from './trace-view.ts';

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

/**
 * The changes that others made after the last call of each mutating webhook and policy, by the index of that call and
 * of its skip in the second round.
 */
export function unseenChangesByCall(trace: Trace): ReadonlyMap<number, string> {
  const view = createTraceView(trace);
  const unseen = new Map<number, string>();
  for (const by of view.decisions) {
    if (by.record.phase !== 'mutating' || !isCallee(by) || !decisionCalled(by)) continue;
    const text = isLast(by, view) ? describeLaterChanges(by, view) : '';
    if (text === '') continue;
    unseen.set(by.at, text);
    const skip = view.decisions.find((one) => one.at > by.at && isSameActor(one.actor, by.actor));
    if (skip !== undefined) unseen.set(skip.at, text);
  }
  return unseen;
}

/** `changes made later by side.example.com (sidecars) were not seen (container late)`. */
export const unseenText = (by: string, what: string): string => `changes made later by ${by} were not seen (${what})`;

const isLast = ({ at, actor }: ViewedDecision, { decisions }: TraceView): boolean =>
  !decisions.some((one) => one.at > at && isSameActor(one.actor, actor) && decisionCalled(one));

function describeLaterChanges({ at, actor }: ViewedDecision, { decisions }: TraceView): string {
  const later = decisions.filter(
    (one) => one.at > at && isCallee(one) && one.hasEffect && one.changes.length > 0 && !isSameActor(one.actor, actor),
  );
  const [first] = later;
  if (first === undefined) return '';
  const what = describeList(later.flatMap(({ changes }) => changes.map(({ path }) => describeField(path))));
  const others = new Set(later.map((one) => actorText(one.actor))).size - 1;
  return unseenText(`${actorText(first.actor)}${others === 0 ? '' : ' and others'}`, what);
}

/**
 * `psp.example.com received the Pod after side.example.com (sidecars) added container late: …`, of the denial that the
 * client received; undefined when others changed nothing but annotations before it.
 */
export function changedBeforeDenial(trace: Trace): string | undefined {
  const denial = refusalIn(trace);
  if (denial?.outcome !== 'denied') return undefined;
  const { decisions } = createTraceView(trace);
  const at = trace.admission.indexOf(denial);
  const earlier = decisions.flatMap((one) => {
    const changes = one.changes.filter(({ path }) => path[0] !== 'metadata' || path[1] !== 'annotations');
    const isOther = one.at < at && isCallee(one) && one.hasEffect && !isSameActor(one.actor, actorOf(denial));
    return isOther && changes.length > 0 ? [{ record: one.record, actor: one.actor, changes }] : [];
  });
  const [first] = earlier;
  if (first === undefined) return undefined;
  const what = describeList(earlier.map(({ actor, changes }) => `${actorText(actor)} ${describeChange(changes)}`));
  const kind = asString(trace.objectReceived?.['kind']) || 'object';
  const why =
    denial.phase === 'mutating'
      ? whyLater(first.record, denial)
      : 'mutating webhooks and policies run before validating ones';
  return `${denial.name} received the ${kind} after ${what}: ${why}`;
}
