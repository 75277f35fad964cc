import type { ConditionRecord, ExpressionValue, LookedAt, RuleMismatch, SkipReason } from '../admission/outcome.ts';
import { asString } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import type { Trace, TracedPlugin, TracedWebhook } from './trace.ts';

/**
 * A trace in words: the verdict first, then every webhook in the order it was considered, with the clause that decided
 * when it was not called, how far a failed call came, what it patched and how long it took.
 */
export function explain(trace: Trace): string {
  const webhooks = trace.admission.filter((decision) => decision.type === 'webhook');
  const plugins = trace.admission.filter((decision) => decision.type === 'plugin');
  return [
    verdictLine(trace),
    requestLine(trace),
    ...trace.response.warnings.map((warning) => `warning: ${warning}`),
    '',
    ...(webhooks.length > 0 ? webhooks.flatMap(webhookLines) : [noWebhooks(trace)]),
    ...policyLines(trace),
    ...pluginLines(plugins),
  ].join('\n');
}

function verdictLine({ verdict, response, milliseconds, request }: Trace): string {
  const took = `${duration(milliseconds)}${request.dryRun ? ', dry run' : ''}`;
  if (verdict === 'admitted') return `ADMITTED  ${response.code} in ${took}`;
  const message = response.status?.['message'];
  return `REFUSED  ${response.code} in ${took}: ${typeof message === 'string' ? message : 'no message'}`;
}

function requestLine({ request, id }: Trace): string {
  const { verb, resource, group, subresource, namespace, name, user } = request;
  const what = [group === '' ? resource : `${resource}.${group}`, subresource].filter((part) => part !== '').join('/');
  const where = namespace === '' || resource === 'namespaces' ? '' : ` in ${namespace}`;
  const who = typeof user?.['username'] === 'string' ? ` by ${user['username']}` : '';
  return `${verb} ${what} ${name === '' ? '(unnamed)' : name}${where}${who}  trace ${id}`;
}

function noWebhooks({ admission, verdict }: Trace): string {
  if (admission.length === 0) return 'admission was not reached: no webhook was considered';
  return verdict === 'refused' ? 'no webhook was considered before the refusal' : 'no webhook is configured';
}

/** Nobody shall believe that a policy allowed what it never saw. */
function policyLines({ admission }: Trace): readonly string[] {
  const names = admission.flatMap((decision) => (decision.type === 'policy' ? [decision.name] : []));
  return [...new Set(names)].map(
    (name) => `policy ${name}  NOT EVALUATED: kadmit stores policies but does not evaluate them yet`,
  );
}

/** The compiled-in plugins that did something; that the others had nothing to say is not worth a line. */
function pluginLines(plugins: readonly TracedPlugin[]): readonly string[] {
  const lines = plugins.flatMap(({ name, phase, round, outcome, message, patch = [] }) => {
    const again = round === 1 ? ' again' : '';
    if (outcome === 'denied') return [`${label(phase)} plugin ${name}  DENIED${again}: ${message ?? ''}`];
    if (outcome === 'passed' || patch.length === 0) return [];
    return [`${label(phase)} plugin ${name}  changed${again} ${patch.map(({ path }) => asString(path)).join(', ')}`];
  });
  return lines.length > 0 ? ['', ...lines] : [];
}

function webhookLines(webhook: TracedWebhook): readonly string[] {
  const round = webhook.round === 1 ? ' (reinvoked)' : '';
  const head = `${label(webhook.phase)} webhook ${webhook.name} of ${webhook.configuration}${round}`;
  return [`${head}  ${outcomeOf(webhook)}`, ...detailsOf(webhook)];
}

function outcomeOf(webhook: TracedWebhook): string {
  const took = duration(webhook.milliseconds);
  switch (webhook.outcome) {
    case 'called':
      return `called, allowed in ${took}${patchWord(webhook)}`;
    case 'denied':
      return `called, DENIED in ${took}${ownWords(webhook)}`;
    case 'failed-open':
      return `FAILED OPEN after ${took} (failurePolicy Ignore): ${phaseText(webhook)}`;
    case 'failed-closed':
      return `FAILED CLOSED after ${took} (failurePolicy Fail): ${phaseText(webhook)}`;
    case 'refused':
      return `REFUSED the request before the call, whatever its failurePolicy says: ${messageOf(webhook.status)}`;
    case 'skipped':
      return `skipped: ${webhook.reason ? skipSentence(webhook.reason) : 'no reason recorded'}`;
  }
}

/** What the webhook itself said; the verdict line has the whole message. */
function ownWords({ name, status }: TracedWebhook): string {
  const whole = messageOf(status);
  const prefix = `admission webhook ${JSON.stringify(name)} denied the request`;
  if (whole === `${prefix} without explanation`) return ' without explanation';
  return `: ${whole.startsWith(`${prefix}: `) ? whole.slice(prefix.length + 2) : whole}`;
}

const messageOf = (status: JsonObject | undefined): string =>
  typeof status?.['message'] === 'string' ? status['message'] : 'without a message';

function patchWord({ patch = [], changed }: TracedWebhook): string {
  if (patch.length === 0) return ', no patch';
  const count = patch.length === 1 ? '1 operation' : `${patch.length} operations`;
  return changed === false ? `, patched with ${count} that changed nothing` : `, patched with ${count}`;
}

const phases: Readonly<Record<string, string>> = {
  client: 'before any connection was made',
  resolve: 'while looking up the address',
  connect: 'while connecting',
  tls: 'in the TLS handshake',
  headers: 'while waiting for the answer',
  body: 'while reading the answer',
  timeout: 'by running out of time',
  canceled: 'because the client went away',
  decode: 'because the answer is no AdmissionReview',
  verify: 'because the answer breaks the rules of AdmissionReview',
  patch: 'because its patch cannot be used',
  'dry-run': 'because it does not support dry run',
};

/** The error names the webhook once more; the line has done that already. */
const phaseText = ({ failurePhase = '', error = '', name }: TracedWebhook): string =>
  `${phases[failurePhase] ?? failurePhase}: ${error.replace(`failed calling webhook "${name}": `, '')}`;

function detailsOf({ patch = [], warnings = [], conditions = [], reason }: TracedWebhook): readonly string[] {
  const decided = reason?.because === 'matchCondition' ? reason.condition : undefined;
  const others = conditions.filter(({ condition }) => condition !== decided); // The line above has said the one that decided.
  return [
    ...others.map(conditionLine),
    ...patch.map(patchLine),
    ...warnings.map((warning) => `    warned: ${warning}`),
  ];
}

function conditionLine(record: ConditionRecord): string {
  const about = `    matchCondition ${record.condition}`;
  if (record.result === 'true') return `${about} is true`;
  if (record.result === 'false') return `${about} is false${valuesText(record.values)}`;
  const { error, values } = record;
  const place = values.find(({ value }) => value === error);
  const others = values.filter((one) => one !== place);
  return `${about} failed${place ? ` at ${place.expression}` : ''}: ${error}${valuesText(others)}`;
}

/** ` (object.kind was "Pod")`, or nothing. */
const valuesText = (values: readonly ExpressionValue[]): string =>
  values.length === 0 ? '' : ` (${values.map(({ expression, value }) => `${expression} was ${value}`).join('; ')})`;

const patchLine = ({ op, path, value }: JsonObject): string =>
  `    ${asString(op)} ${asString(path)}${value === undefined ? '' : ` ${shortened(JSON.stringify(value))}`}`;

const longestValue = 120;

const shortened = (text: string): string => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);

/** The clause that decided, as a sentence. */
export function skipSentence(reason: SkipReason): string {
  switch (reason.because) {
    case 'no-rule-matched':
      return ruleSentence(reason.nearest);
    case 'namespaceSelector':
      return `namespaceSelector wants ${reason.wants}; namespace ${reason.namespace} has ${labelsText(reason.labels)}`;
    case 'objectSelector':
      return `objectSelector wants ${reason.wants}; ${lookedText(reason.looked)}`;
    case 'matchCondition':
      return `matchCondition ${reason.condition} is false: ${reason.expression}${valuesText(reason.values)}`;
    case 'matchCondition-error':
      return `a matchCondition failed and failurePolicy is Ignore: ${reason.error}`;
    case 'not-reinvoked':
      return notReinvoked[reason.detail];
    case 'exempt':
      return `webhooks never see ${reason.kind} objects`;
  }
}

const notReinvoked = {
  'reinvocationPolicy-Never': 'not called again: its reinvocationPolicy is Never',
  'not-called-in-round-0': 'not called again: it was not called in the first round',
  'nothing-changed-since': 'not called again: nothing changed after its turn',
} as const;

function ruleSentence(nearest: RuleMismatch | null): string {
  if (!nearest) return 'it has no rules';
  const parts = nearest.parts.map(
    ({ part, wants, has }) => `${part} wants ${wants.map(quoted).join(' or ')} and is ${quoted(has)}`,
  );
  return `no rule matches; nearest is rules[${nearest.rule}]: ${parts.join(', ')}`;
}

const quoted = (text: string): string => (text === '' ? '""' : text);

const labelsText = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? 'no labels' : pairs.join(', ');
};

function lookedText(looked: readonly LookedAt[]): string {
  if (looked.length === 0) return 'there is no object to look at';
  return looked
    .map(({ which, kind, name, labels }) => {
      const what = `${which === 'oldObject' ? 'the old ' : ''}${kind}${name === '' ? '' : ` ${name}`}`;
      return labels === null ? `${what} has no metadata to look at` : `${what} has ${labelsText(labels)}`;
    })
    .join('; ');
}

const label = (phase: 'mutating' | 'validating'): string => (phase === 'mutating' ? 'mutating  ' : 'validating');

const duration = (milliseconds: number): string =>
  milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${milliseconds.toFixed(1)} ms`;
