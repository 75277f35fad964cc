import { asObject, isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { readLabelSelector, selectorSentence } from '../../../machinery/selectors/label-selector.ts';
import type { WebhookEntry } from '../../../machinery/meta/webhook-fields.ts';
import type { FieldPath } from '../../trace/field-path.ts';
import type { FieldChange } from '../../trace/object-diff.ts';
import type { TracedDecision } from '../../trace/trace.ts';
import { actorText, type Finding } from '../finding.ts';
import { isCallee } from '../conflicts.ts';
import { describeField, describeList } from '../describe-field.ts';
import { orderRemedy } from '../order-remedy.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

/**
 * An objectSelector skipped a mutating webhook or policy before another one set the matching labels. A webhook that
 * is skipped in the first round is not called in the second.
 */
export const skippedTooEarly = (view: TraceView): readonly Finding[] =>
  view.decisions.flatMap((skipped) => {
    const wanted = selectorOf(skipped.record);
    if (skipped.round === 1 || skipped.record.phase !== 'mutating' || wanted === undefined) return [];
    const late = view.decisions.find(
      (one) => one.at > skipped.at && isCallee(one) && one.states !== undefined && isMatch(wanted, one.states.after),
    );
    const labels = late?.changes.filter(({ path }) => isWanted(path, wanted)) ?? [];
    return late === undefined || labels.length === 0 ? [] : [finding(skipped, { late, labels }, wanted)];
  });

type Selector = Extract<ReturnType<typeof readLabelSelector>, { readonly outcome: 'selector' }>['selector'];

/** Only when nothing else prevented the call. */
function selectorOf(decision: TracedDecision): Selector | undefined {
  if (decision.type === 'plugin' || decision.reason?.because !== 'objectSelector' || !decision.reason.rulesMatch) {
    return undefined;
  }
  const from: WebhookEntry =
    decision.type === 'policy' ? asObject(decision.definition?.['matchConstraints']) : (decision.definition ?? {});
  const view = readLabelSelector(from.objectSelector ?? {});
  return view.outcome === 'selector' ? view.selector : undefined;
}

/** Does the selector have a requirement for this label? */
const isWanted = ([metadata, map, key]: FieldPath, { requirements }: Selector): boolean =>
  metadata === 'metadata' && map === 'labels' && requirements.some((one) => one.key === key);

function isMatch(selector: Selector, object: JsonObject): boolean {
  const labels = valueAt(object, 'metadata', 'labels');
  const texts = Object.entries(isJsonObject(labels) ? labels : {}).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  return selector.matches(Object.fromEntries(texts));
}

interface Late {
  readonly late: ViewedDecision;
  /** Changes of labels that the selector requires. */
  readonly labels: readonly FieldChange[];
}

function finding(skipped: ViewedDecision, { late, labels }: Late, wanted: Selector): Finding {
  const [verb, effect] = labels.every(({ after }) => after === undefined)
    ? ['removed', 'excludes']
    : ['set', 'requires'];
  const what = describeList(labels.map(({ path }) => describeField(path)));
  const { name } = skipped.actor;
  return {
    rule: 'skipped-too-early',
    severity: 'warning',
    title: `${actorText(skipped.actor)} was skipped: its objectSelector ${effect} ${what}, which ${actorText(late.actor)} ${verb} later`,
    where: { actors: [skipped.actor, late.actor], fields: ['metadata.labels'] },
    evidence: [
      { text: `its objectSelector requires ${selectorSentence(wanted)}, and matches now`, decision: skipped.at },
      {
        text: 'a webhook that is skipped in the first round is not called in the second, whatever its reinvocationPolicy',
      },
    ],
    remedy: `call ${late.actor.name} first (${orderRemedy(skipped.record, late.record)}), or check the label in ${name}, with reinvocationPolicy: IfNeeded and no objectSelector`,
  };
}
