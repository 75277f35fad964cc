import { groupBy } from '../../../machinery/lists.ts';
import type { TracedPlugin } from '../../trace/trace.ts';
import { actorOf, actorText, type Finding } from '../finding.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { type FieldPath, pathText } from '../../trace/field-path.ts';
import type { FieldChange } from '../../trace/object-diff.ts';
import { refusalIn } from '../../trace/trace-summary.ts';
import { isCallee } from '../conflicts.ts';
import { describeField, describeList } from '../describe-field.ts';
import { isWithin, valueIn, causePath } from '../list-items.ts';

type Limit = NonNullable<TracedPlugin['by']>;

/** The refusals of compiled-in plugins, each with the limit that was exceeded. */
const pluginRefusals = (
  { trace }: TraceView,
  describe: (limit: Limit) => Pick<Finding, 'rule' | 'title' | 'remedy'> | undefined,
): readonly Finding[] =>
  trace.admission.flatMap((decision, at) => {
    const limit = decision.type === 'plugin' && decision.outcome === 'denied' ? decision.by : undefined;
    const described = limit && describe(limit);
    if (decision.type !== 'plugin' || !described) return [];
    const actor = actorOf(decision);
    return [
      {
        ...described,
        severity: 'error',
        title: `${actorText(actor)} refused the request ${described.title}`,
        where: { actors: [actor], fields: [] },
        evidence: [{ text: decision.message ?? '', decision: at }],
      },
    ];
  });

/** A compiled-in plugin refused by its own rule, its configuration, or a missing permission. */
export const refusedByPlugin = (view: TraceView): readonly Finding[] =>
  pluginRefusals(view, (limit) =>
    isStoredKind(limit) ? undefined : { rule: 'refused-by-plugin', ...describeLimit(limit) },
  );

function describeLimit({ kind, name, field, refused = '', allowed = '' }: Limit): Pick<Finding, 'title' | 'remedy'> {
  const limit = `${refused} allows ${allowed}`;
  switch (kind) {
    case 'file':
      return { title: `by ${field} in the file of ${name}`, remedy: `${limit}: change the object, or that file` };
    case 'permission':
      return {
        title: `since ${name} may not ${field}`,
        remedy: `grant it by a role, and check with: kubectl auth can-i ${field} --as=${name}`,
      };
    default:
      return { title: `by its own rule about ${refused}`, remedy: limit };
  }
}

/** A compiled-in plugin refused because of a stored object: a quota, a range, a namespace label. */
export const refusedByObject = (view: TraceView): readonly Finding[] =>
  pluginRefusals(view, (source) => {
    if (!isStoredKind(source)) return undefined;
    const { kind, namespace, name, field, refused = '', allowed = '' } = source;
    const limit = allowed === '' ? '' : `${refused} allows ${allowed}: `;
    const look = `kubectl get ${kind.toLowerCase()} ${name}${namespace === '' ? '' : ` -n ${namespace}`} -o yaml`;
    return {
      rule: 'refused-by-object',
      title: `by ${field} of ${kind} ${name}`,
      remedy: `${limit}change the object that was sent, or ${kind} ${name} (${look})`,
    };
  });

export const isStoredKind = ({ kind }: Limit): boolean => !['file', 'permission', 'rule'].includes(kind);

interface Refused {
  readonly path: FieldPath;
  readonly isRequired: boolean;
  readonly message: string;
  readonly by: ViewedDecision;
  readonly change: FieldChange;
}

/**
 * The API server refuses a field that a webhook or policy wrote last. Where only a field below the refused one was
 * written, the message must quote it.
 */
const refusedFields = ({ trace, writes }: TraceView): readonly Refused[] => {
  if (refusalIn(trace) !== undefined) return [];
  const causes = asList(asObject(trace.response.status?.['details'])['causes']).map(asObject);
  const written = writes.flatMap(({ by, changes }) => changes.map((change) => ({ by, change })));
  return causes.flatMap(({ field, message, reason }) => {
    // Duplicates have their own finding.
    if (asString(field) === '' || reason === 'FieldValueDuplicate') return [];
    const path = causePath(asString(field), trace.objectAfter ?? undefined);
    const isRequired = reason === 'FieldValueRequired';
    const writer = written.findLast(
      ({ change }) =>
        isWithin(path, change.path) || (isWithin(change.path, path) && isQuoted(change, asString(message))),
    );
    if (writer?.by === undefined || !isCallee(writer.by)) return [];
    return [{ path, isRequired, message: asString(message), change: writer.change, by: writer.by }];
  });
};

function isQuoted({ path, after }: FieldChange, message: string): boolean {
  const last = path.at(-1);
  const name = typeof last === 'object' ? last.value : last;
  return [name, after].some((one) => typeof one === 'string' && message.includes(JSON.stringify(one)));
}

const valueOf = ({ trace }: TraceView, path: FieldPath): JsonValue | undefined =>
  valueIn(trace.objectAfter ?? undefined, path);

/** The API server refuses a value that the client did not set. */
export const invalidField = (view: TraceView): readonly Finding[] =>
  byDecision(refusedFields(view).filter(({ path }) => valueOf(view, path) !== undefined)).map((all) => {
    const [{ by }] = all;
    const what = describeList(
      all.map(({ path, change }) => describeField(isWithin(change.path, path) ? change.path : path)),
    );
    return {
      ...common(all),
      rule: 'invalid-field',
      title: `${actorText(by.actor)} set ${what}, which the API server refuses`,
      remedy: `correct the value in ${by.actor.name}; the client did not send it`,
    };
  });

/** A required field is missing where a webhook or policy wrote the parent or removed the field. */
export const missingField = (view: TraceView): readonly Finding[] =>
  byDecision(refusedFields(view).filter(({ path, isRequired }) => isRequired && valueOf(view, path) === undefined)).map(
    (all) => ({
      ...common(all),
      rule: 'missing-field',
      ...missingText(all[0]),
    }),
  );

type OfDecision = readonly [Refused, ...Refused[]];

const byDecision = (all: readonly Refused[]): readonly OfDecision[] => [...groupBy(all, ({ by }) => by).values()];

function missingText({ by, path, change }: Refused): Pick<Finding, 'title' | 'remedy'> {
  const actor = actorText(by.actor);
  if (change.after === undefined) {
    return {
      title: `${actor} removed ${describeField(path)}, which is required`,
      remedy: `keep it in ${by.actor.name}`,
    };
  }
  const parent = describeField(change.path);
  return {
    title: `${actor} wrote ${parent} without ${describeField(path.slice(change.path.length))}, which is required`,
    remedy: `write all of ${parent} in ${by.actor.name}, or change only existing items: another webhook may add this one later`,
  };
}

const common = (all: OfDecision): Pick<Finding, 'severity' | 'where' | 'evidence'> => ({
  severity: 'error',
  where: { actors: [all[0].by.actor], fields: all.map(({ path }) => pathText(path)) },
  evidence: all.map(({ path, message, by }) => ({
    text: `${pathText(path)}: ${message.length > maxLength ? `${message.slice(0, maxLength)}…` : message}`,
    decision: by.at,
  })),
});

const maxLength = 100;
