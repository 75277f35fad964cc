import { keyValue, listKeyOf } from '../../explain/trace/field-path.ts';
import { type FieldChange, changesBetween } from '../../explain/trace/object-diff.ts';
import { mapStrings, withoutRandomName } from '../../explain/trace/secret-values.ts';
import { refusalIn } from '../../explain/trace/trace-summary.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { type JsonObject, type JsonValue, asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import { withoutServerFields } from '../../testing/scenario/expect/object.ts';
import type { Scenario, ScenarioStep } from '../../testing/scenario/format.ts';
import type { ScenarioWorld, WorldAnswer, Worlds } from '../../testing/scenario/world.ts';
import type { LeftOut, LoggedRequest } from './logged-request.ts';
import { type TrialWorld, openTrials } from './trial-setup.ts';

/** The same requests under two sets of configurations and policies. */
export interface SetsReport {
  readonly requests: number;
  readonly same: number;
  readonly differing: number;
  /** The first two hundred. */
  readonly differences: readonly RequestDifference[];
  /** Requests that were not sent, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly sides: readonly [SideTotals, SideTotals];
}

export interface SideTotals {
  readonly admitted: number;
  readonly refused: number;
  /** Requests with warnings. */
  readonly warned: number;
  /** Of webhooks. */
  readonly calls: number;
  /** Total, on the world's clock. */
  readonly milliseconds: number;
}

type DifferenceKind = 'verdict' | 'object' | 'warnings' | 'calls';

export interface RequestDifference {
  readonly request: string;
  readonly differs: readonly DifferenceKind[];
  readonly sides: readonly [SideAnswer, SideAnswer];
  /** Of objects that both admit, from the first set to the second. */
  readonly changes: readonly FieldChange[];
}

export interface SideAnswer {
  readonly code: number;
  /** What denied the request, and the client's message. */
  readonly by: string;
  readonly message: string;
  readonly warnings: readonly string[];
  /** Called webhooks in order: `mutating CONFIGURATION/WEBHOOK failed-open`. */
  readonly calls: readonly string[];
  readonly milliseconds: number;
}

/** A step of a scenario, or a logged request. */
export type ComparedRequest =
  | { readonly type: 'step'; readonly step: ScenarioStep }
  | { readonly type: 'logged'; readonly logged: LoggedRequest };

const maxShown = 200;

/**
 * Sends the same requests to two worlds and compares the outcomes. Steps are executed, logged requests are dry runs.
 * Rejects when a set cannot be stored.
 */
export async function compareSets(
  [first, second]: readonly [Scenario, Scenario],
  requestsIn: (world: ScenarioWorld) => AsyncIterable<ComparedRequest | LeftOut>,
  worlds: Worlds,
  onProgress: (text: string) => void = () => {},
): Promise<SetsReport> {
  const one = await openTrials(first, worlds);
  const other = await openTrials(second, worlds).catch(async (error: unknown) => {
    await one.close();
    throw error;
  });
  let sums: readonly [SideTotals, SideTotals] = [noTotals, noTotals];
  const leftOut = new Map<string, number>();
  const leave = (why: LeftOut): unknown => leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
  const differences: RequestDifference[] = [];
  const count = { requests: 0, differing: 0 };
  const askers = [createSender(one), createSender(other)] as const;
  try {
    for await (const compared of requestsIn(one.world)) {
      if (typeof compared === 'string') {
        leave(compared);
        continue;
      }
      const answers = [await askers[0](compared), await askers[1](compared)] as const;
      const reason = skipReason(compared, answers);
      if (reason !== undefined) {
        leave(reason);
        continue;
      }
      count.requests += 1;
      if (count.requests % 100 === 1) onProgress(`${count.requests} requests`);
      const sides = [summarizeAnswer(answers[0]), summarizeAnswer(answers[1])] as const;
      sums = [addToTotals(sums[0], sides[0]), addToTotals(sums[1], sides[1])];
      const difference = compareSides(requestTitle(compared), sides, answers);
      if (!difference) continue;
      count.differing += 1;
      if (differences.length < maxShown) differences.push(difference);
    }
  } finally {
    await one.close();
    await other.close();
  }
  return {
    ...count,
    same: count.requests - count.differing,
    differences,
    leftOut: Object.fromEntries(leftOut),
    sides: sums,
  };
}

const noTotals: SideTotals = { admitted: 0, refused: 0, warned: 0, calls: 0, milliseconds: 0 };

const addToTotals = (sum: SideTotals, { code, warnings, calls, milliseconds }: SideAnswer): SideTotals => ({
  admitted: sum.admitted + (code < 400 ? 1 : 0),
  refused: sum.refused + (code < 400 ? 0 : 1),
  warned: sum.warned + (warnings.length > 0 ? 1 : 0),
  calls: sum.calls + calls.length,
  milliseconds: sum.milliseconds + milliseconds,
});

type Answers = readonly [WorldAnswer | undefined, WorldAnswer | undefined];

const requestTitle = (compared: ComparedRequest): string =>
  compared.type === 'step' ? compared.step.name : compared.logged.title;

function createSender(trialWorld: TrialWorld): (compared: ComparedRequest) => Promise<WorldAnswer | undefined> {
  const ensureNamespace = createNamespaces(trialWorld.world);
  return async (compared) => {
    if (compared.type === 'step') return trialWorld.make(compared.step);
    await ensureNamespace(compared.logged.namespace);
    return trialWorld.world.send(compared.logged.request);
  };
}

/** Steps without a request are skipped, and so are requests for objects missing on both sides. */
function skipReason(compared: ComparedRequest, answers: Answers): LeftOut | undefined {
  if (answers[0] === undefined && answers[1] === undefined) return 'a step without a request';
  const isMissing = answers.every((answer) => answer?.code === 404);
  return compared.type === 'logged' && compared.logged.needsObject && isMissing
    ? 'its object is not loaded'
    : undefined;
}

function summarizeAnswer(answer: WorldAnswer | undefined): SideAnswer {
  if (!answer) return { code: 0, by: '', message: '', warnings: [], calls: [], milliseconds: 0 };
  const { code, body, warnings, milliseconds, trace } = answer;
  const isRefused = code >= 400;
  return {
    code,
    by: isRefused ? denierTitle(answer) : '',
    message: isRefused ? asString(body['message']) : '',
    warnings,
    calls: listCalls(trace),
    milliseconds,
  };
}

const listCalls = (trace: Trace | undefined): readonly string[] =>
  (trace?.admission ?? []).flatMap((one) => {
    if (one.type !== 'webhook' || one.outcome === 'skipped') return [];
    const how = one.outcome === 'called' ? '' : ` ${one.outcome}`;
    return [`${one.phase} ${one.configuration}/${one.name}${one.round === 1 ? ' again' : ''}${how}`];
  });

function compareSides(
  request: string,
  sides: readonly [SideAnswer, SideAnswer],
  answers: Answers,
): RequestDifference | undefined {
  const [a, b] = sides;
  const objects = answers.map((answer) => (answer && answer.code < 400 ? normalizeStored(answer.body) : undefined));
  const [before, after] = objects;
  const isOther = before !== undefined && after !== undefined && meaningText(before) !== meaningText(after);
  const differs: readonly DifferenceKind[] = [
    ...(a.code !== b.code || a.by !== b.by || a.message !== b.message ? (['verdict'] as const) : []),
    ...(isOther ? (['object'] as const) : []),
    ...(sameTexts(a.warnings, b.warnings) ? [] : (['warnings'] as const)),
    ...(sameTexts(a.calls, b.calls) ? [] : (['calls'] as const)),
  ];
  return differs.length === 0
    ? undefined
    : { request, differs, sides, changes: isOther ? changesBetween(before, after) : [] };
}

const sameTexts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, at) => text === other[at]);

/** `policy no-latest`, `webhook a.example.com`, `the API server`. */
export function denierTitle({ trace }: Pick<WorldAnswer, 'trace'>): string {
  const decision = trace && refusalIn(trace);
  return decision === undefined ? 'the API server' : `${decision.type} ${decision.name}`;
}

/** Creates each namespace once; '' is none. */
export function createNamespaces(world: ScenarioWorld): (name: string) => Promise<void> {
  const known = new Set<string>();
  return async (name) => {
    if (name === '' || known.has(name)) return;
    known.add(name);
    const { code } = await world.send({ method: 'GET', path: `/api/v1/namespaces/${encodeURIComponent(name)}` });
    if (code !== 404) return;
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await world.send({ method: 'POST', path: '/api/v1/namespaces', body });
    await world.settle();
  };
}

/** The object as stored, without random and server-set fields; a Job has its uid in labels and selectors. */
export function normalizeStored(object: JsonObject): JsonObject {
  const { uid } = asObject(object['metadata']);
  const kept = withoutServerFields(object, {});
  return uid === undefined ? kept : asObject(mapStrings(kept, (text) => (text === uid ? '<uid>' : text)));
}

/** Equal for objects with the same meaning: lists of named items are sorted by name, except init containers. */
export const meaningText = (object: JsonObject): string => stateText(normalizeStored(object));

/** The same with server-set fields. */
export const stateText = (object: JsonObject): string => canonicalText(object, '');

/** `field` contains the value; '' for list items. */
function canonicalText(value: JsonValue, field: string): string {
  if (typeof value === 'string') return JSON.stringify(withoutRandomName(value));
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return `[${canonicalItems(value, field).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null, name)}`).join()}}`;
}

function canonicalItems(items: readonly JsonValue[], field: string): readonly string[] {
  const key = field === 'initContainers' ? undefined : listKeyOf([items]);
  if (key === undefined) return items.map((item) => canonicalText(item, ''));
  return items
    .map((item) => ({ name: withoutRandomName(keyValue(item, key) ?? ''), text: canonicalText(item, '') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ text }) => text);
}
