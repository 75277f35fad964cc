import { asObject, isJsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { readLabelSelector, selectorSentence } from '../../../machinery/selectors/label-selector.ts';
import type { WebhookEntry } from '../../../machinery/meta/webhook-fields.ts';
import type { FieldPath } from '../../trace/field-path.ts';
import type { Change } from '../../trace/object-changes.ts';
import type { TracedDecision } from '../../trace/trace.ts';
import { actorText } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { fieldWords, listWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { orderRemedy } from '../order-remedy.ts';
import type { Reading, Turn } from '../reading.ts';

/**
 * An objectSelector skipped a mutating webhook or policy before another one set the matching labels. A webhook that
 * is skipped in the first round is not called in the second.
 */
export const skippedTooEarly = (reading: Reading): readonly Finding[] =>
  reading.turns.flatMap((skipped) => {
    const wanted = selectorOf(skipped.decision);
    if (skipped.round === 1 || skipped.decision.phase !== 'mutating' || wanted === undefined) return [];
    const late = reading.turns.find(
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
  const reading = readLabelSelector(from.objectSelector ?? {});
  return reading.outcome === 'selector' ? reading.selector : undefined;
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
  readonly late: Turn;
  /** Changes of labels that the selector requires. */
  readonly labels: readonly Change[];
}

function finding(skipped: Turn, { late, labels }: Late, wanted: Selector): Finding {
  const [verb, effect] = labels.every(({ after }) => after === undefined) ? ['removed', 'excludes'] : ['set', 'wants'];
  const what = listWords(labels.map(({ path }) => fieldWords(path)));
  const { name } = skipped.actor;
  return {
    rule: 'skipped-too-early',
    severity: 'warning',
    title: `${actorText(skipped.actor)} was not ${skipped.actor.type === 'policy' ? 'evaluated' : 'called'}: ${actorText(late.actor)} ${verb} ${what}, which its objectSelector ${effect}, only after its turn`,
    where: { actors: [skipped.actor, late.actor], fields: ['metadata.labels'] },
    evidence: [
      { text: `its objectSelector wants ${selectorSentence(wanted)}, and now matches`, decision: skipped.at },
      { text: 'who is skipped in the first round is not called in the second, whatever the reinvocationPolicy' },
    ],
    remedy: `have ${late.actor.name} called first (${orderRemedy(skipped.decision, late.decision)}), or let ${name} look for the label itself, with reinvocationPolicy: IfNeeded and no objectSelector`,
  };
}
