import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import {
  asObject,
  asString,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { applyTracedPatch } from '../../trace/object-states.ts';
import { type FieldPath, pathText } from '../../trace/field-path.ts';
import type { TracedWebhook } from '../../trace/trace.ts';
import { actorText, type Finding, isSameActor } from '../finding.ts';
import { describeField } from '../describe-field.ts';
import { isSamePath, valueAtPointer, pointerSteps } from '../list-items.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

/** A patch has an index of an earlier state of the list: out of range, or that of another item. */
export const staleIndex = (view: TraceView): readonly Finding[] =>
  view.decisions.flatMap((by) => [...outOfRange(by), ...shiftedItem(by, view)]);

/** The first operation that fails, with an index out of range. */
function outOfRange({ record: decision, shown, actor, at }: ViewedDecision): readonly Finding[] {
  if (decision.type !== 'webhook' || decision.failurePhase !== 'patch' || shown === undefined) return [];
  const patch = answeredPatch(decision);
  const failed = firstFailedOperation(shown, patch);
  const missing = failed && missingItem(failed.object, pointerSteps(asString(failed.operation['path'])));
  if (failed === undefined || missing === undefined) return [];
  const list = pathText(missing.path);
  const removed = patch.slice(0, failed.index).findIndex((one) => removesFrom(one, missing.list));
  return [
    {
      rule: 'stale-index',
      severity: decision.outcome === 'failed-open' ? 'warning' : 'error',
      title: `${actorText(actor)} patched ${list}[${missing.index}], but ${removed < 0 ? 'the list has' : 'an earlier operation left'} ${missing.length === 1 ? '1 item' : `${missing.length} items`}`,
      where: { actors: [actor], fields: [`${list}[${missing.index}]`] },
      evidence: [
        { text: `operation ${failed.index}: ${operationText(failed.operation)}`, decision: at },
        ...(removed < 0
          ? []
          : [
              {
                text: `operation ${removed}: ${operationText(patch[removed] ?? {})}, which moved later items up`,
                decision: at,
              },
            ]),
      ],
      remedy:
        'build the patch from request.object of the same review, the last items of a list first, and append with "-"',
    },
  ];
}

function removesFrom({ op, path }: JsonObject, list: readonly string[]): boolean {
  const steps = pointerSteps(asString(path));
  return op === 'remove' && steps.length === list.length + 1 && list.every((step, at) => step === steps[at]);
}

const operationText = ({ op, path }: JsonObject): string => `${asString(op)} ${asString(path)}`;

/** Later operations are not examined. */
const maxCompared = 1000;

interface FailedOperation {
  readonly index: number;
  readonly operation: JsonObject;
  /** After the operations before it. */
  readonly object: JsonValue;
}

function firstFailedOperation(shown: JsonObject, patch: readonly JsonObject[]): FailedOperation | undefined {
  let object: JsonValue = shown;
  for (const [index, operation] of patch.slice(0, maxCompared).entries()) {
    const after = applyTracedPatch(object, [operation]);
    if (after === undefined) return { index, operation, object };
    object = after;
  }
  return undefined;
}

function missingItem(object: JsonValue, steps: readonly string[]) {
  for (const [at, step] of steps.entries()) {
    const list = steps.slice(0, at);
    const target = valueAtPointer(object, list);
    const items: JsonValue | undefined = target?.value;
    if (target === undefined || !isList(items)) continue;
    const index = Number(step);
    if (step !== '-' && Number.isInteger(index) && index >= items.length) {
      return { list, path: target.path, index, length: items.length };
    }
  }
  return undefined;
}

/** An operation of the first round that changes another item in the second. */
function shiftedItem(again: ViewedDecision, { decisions }: TraceView): readonly Finding[] {
  if (again.round === 0 || again.record.type !== 'webhook') return [];
  const first = decisions.find((one) => one.round === 0 && isSameActor(one.actor, again.actor));
  if (first === undefined) return [];
  const repeated = operationsOf(again).filter((one) => operationsOf(first).some((other) => sameJson(one, other)));
  const [moved] = repeated.flatMap((operation) => shiftedOperations(asString(operation['path']), first, again));
  return moved === undefined ? [] : [shiftedFinding(again, moved)];
}

const operationsOf = ({ record: decision }: ViewedDecision): readonly JsonObject[] =>
  decision.type === 'webhook' ? (decision.patch ?? []) : [];

interface ShiftedOperation {
  readonly pointer: string;
  /** In the first round, and in the second. */
  readonly meant: FieldPath;
  readonly hit: FieldPath;
}

function shiftedOperations(
  pointer: string,
  { shown: then, changes: thenChanged }: ViewedDecision,
  { shown: now, changes }: ViewedDecision,
): readonly ShiftedOperation[] {
  const steps = pointerSteps(pointer);
  const [meant, hit] = [then && valueAtPointer(then, steps)?.path, now && valueAtPointer(now, steps)?.path];
  if (meant === undefined || hit === undefined || isSamePath(meant, hit)) return [];
  const isChange = (of: ViewedDecision['changes'], wanted: FieldPath): boolean =>
    of.some(({ path }) => isSamePath(path, wanted));
  return isChange(changes, hit) && isChange(thenChanged, meant) ? [{ pointer, meant, hit }] : [];
}

const shiftedFinding = ({ actor, at }: ViewedDecision, { pointer, meant, hit }: ShiftedOperation): Finding => ({
  rule: 'stale-index',
  severity: 'warning',
  title: `${actorText(actor)} changed ${describeField(hit)} in the second round, with the operation that had changed ${describeField(meant)} in the first`,
  where: { actors: [actor], fields: [pathText(hit), pathText(meant)] },
  evidence: [{ text: `both at ${pointer}: the items of the list moved in between`, decision: at }],
  remedy: `find the item by its name in request.object of each review, and put a "test" operation before the change`,
});

/** The patch as sent, even if it could not be applied; [] when it is unreadable. */
function answeredPatch({ answer, patch }: Pick<TracedWebhook, 'answer' | 'patch'>): readonly JsonObject[] {
  if (patch !== undefined) return patch;
  const encoded = asString(asObject(asObject(answer)['response'])['patch']);
  try {
    const bytes = base64Bytes(encoded);
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(read) ? read.filter(isJsonObject) : [];
  } catch {
    return [];
  }
}
