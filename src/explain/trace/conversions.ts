import type { Journal, JournalEntry } from '../../apiserver/request/journal.ts';
import { type JsonObject, asObject } from '../../machinery/json/json.ts';
import { qualifiedNameErrors } from '../../machinery/meta/names.ts';
import { resolveWarnings } from '../../machinery/meta/sent-warnings.ts';
import type {
  DroppedAnnotation,
  DroppedWarning,
  Trace,
  TracedConversion,
  TracedDecision,
  TracedWebhook,
} from './trace.ts';

export function conversionsIn(journal: Pick<Journal, 'entries' | 'stages'>): Pick<Trace, 'conversions'> {
  const { names } = journal.stages();
  const conversions = journal
    .entries()
    .flatMap((entry) => (entry.type === 'conversion' ? [conversionOf(entry.record, names[entry.stage] ?? '')] : []));
  return conversions.length === 0 ? {} : { conversions };
}

type ConversionRecord = Extract<JournalEntry, { readonly type: 'conversion' }>['record'];

function conversionOf(record: ConversionRecord, stage: string): TracedConversion {
  const { startedAt, finishedAt, clientConfig, ...about } = record;
  const known = clientConfig && { clientConfig: asObject(withoutBundle({ clientConfig })['clientConfig']) };
  return {
    ...about,
    ...known,
    stage,
    startedAt,
    milliseconds: finishedAt - startedAt,
    outcome: about.error === undefined ? 'converted' : 'failed',
  };
}

/** Marks a caBundle that is base64 of base64. */
export const encodedTwice = 'in base64 twice';

/** Replaces the caBundle, which is long, by its length. */
export function withoutBundle(definition: JsonObject): JsonObject {
  const clientConfig = asObject(definition['clientConfig']);
  const { caBundle } = clientConfig;
  if (typeof caBundle !== 'string') return definition;
  const twice = caBundle.startsWith(pemTwice) ? `, ${encodedTwice}` : '';
  return { ...definition, clientConfig: { ...clientConfig, caBundle: `(${caBundle.length} characters${twice})` } };
}

/** Base64 of base64 of `-----BEGIN CERT`. */
const pemTwice = 'TFMwdExTMUNSVWRKVGlCRFJWSl';

/** Adds the dropped warnings and audit annotations of each webhook and policy, with reasons. */
export function withDroppedParts(
  decisions: readonly TracedDecision[],
  warnings: readonly string[],
): readonly TracedDecision[] {
  const lossOfWarning = createWarningLosses(warnings);
  const lossOfAnnotation = createAnnotationLosses();
  return decisions.map((decision) => {
    if (decision.type === 'plugin') return decision;
    const droppedWarnings = (decision.warnings ?? []).flatMap((warning) => lossOfWarning(warning));
    const withWarnings = droppedWarnings.length === 0 ? decision : { ...decision, droppedWarnings };
    if (withWarnings.type === 'policy') return withWarnings;
    const droppedAuditAnnotations = Object.entries(withWarnings.auditAnnotations ?? {}).flatMap(([key, value]) =>
      lossOfAnnotation(withWarnings, key, value),
    );
    return droppedAuditAnnotations.length === 0 ? withWarnings : { ...withWarnings, droppedAuditAnnotations };
  });
}

function createWarningLosses(warnings: readonly string[]): (warning: string) => readonly DroppedWarning[] {
  const losses = new Map(resolveWarnings(new Set(warnings)).map(({ warning, loss }) => [warning, loss]));
  const seen = new Set<string>();
  return (warning) => {
    const loss = losses.get(warning);
    const isUnsendable = loss === 'empty' || loss === 'control-character';
    const because = seen.has(warning) && !isUnsendable ? 'duplicate' : loss;
    seen.add(warning);
    return because === undefined ? [] : [{ warning, because }];
  };
}

/** Follows apiserver pkg/admission/attributes.go AddAnnotation (rules RSP-30, RSP-31, MUT-32). */
function createAnnotationLosses(): (
  webhook: TracedWebhook,
  key: string,
  value: string,
) => readonly DroppedAnnotation[] {
  const written = new Map<string, string>();
  return ({ name, attempt = 0 }, key, value) => {
    const [detail] = qualifiedNameErrors(`${name}/${key}`);
    if (detail !== undefined) return [{ key, because: 'invalid-key', detail }];
    const place = `${attempt} ${name}/${key}`;
    const before = written.get(place) ?? value;
    written.set(place, before);
    return before === value ? [] : [{ key, because: 'already-written' }];
  };
}
