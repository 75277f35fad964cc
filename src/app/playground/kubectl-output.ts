import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../machinery/json/json.ts';
import { parseApiVersion } from '../../machinery/meta/gvk.ts';
import { yamlText } from '../../testing/scenario/expect/text.ts';
import type { ScenarioStep } from '../../testing/scenario/format.ts';
import type { WorldAnswer, WorldResource } from '../../testing/scenario/world.ts';

interface SentStep extends Pick<ScenarioStep, 'action' | 'dryRun'> {
  /** Of the target of a deletion. */
  readonly resource: WorldResource | undefined;
}

/** What kubectl prints for the answer to a step, without the name of a file. */
export function kubectlOutput(
  step: SentStep,
  { code, body, warnings }: Pick<WorldAnswer, 'code' | 'body' | 'warnings'>,
): string {
  const lines = code < 400 ? successLines(step, body) : errorLines(body);
  return [...warnings.map((text) => `Warning: ${text}`), ...lines].join('\n');
}

const done: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'replaced',
  apply: 'serverside-applied',
  patch: 'patched',
};

function successLines({ action, dryRun, resource }: SentStep, body: JsonObject): readonly string[] {
  const suffix = dryRun ? ' (server dry run)' : '';
  const { type } = action;
  if (type === 'get') return [yamlText(body).trimEnd()];
  if (type === 'delete' || type === 'deletecollection') {
    const names = type === 'delete' ? [action.target.name] : asList(body['items']).map(nameOf);
    const { namespace } = action.target;
    return resource ? names.map((name) => deletedText(resource, { namespace, name, suffix })) : [];
  }
  return Object.hasOwn(done, type) ? [`${objectName(body)} ${done[type]}${suffix}`] : [];
}

/** `deployment.apps/web`. Follows cli-runtime pkg/printers/name.go. */
function objectName(object: JsonObject): string {
  const { group } = parseApiVersion(asString(object['apiVersion']));
  const kind = asString(object['kind']).toLowerCase();
  return `${group === '' ? kind : `${kind}.${group}`}/${nameOf(object)}`;
}

const nameOf = (object: JsonValue): string => asString(valueAt(object, 'metadata', 'name'));

interface Deletion {
  readonly namespace: string;
  readonly name: string;
  readonly suffix: string;
}

/** Follows kubectl pkg/cmd/delete/delete.go PrintObj. */
function deletedText({ kind, group, namespaced }: WorldResource, { namespace, name, suffix }: Deletion): string {
  const resource = kind.toLowerCase();
  const where = namespaced ? ` from ${namespace} namespace` : '';
  return `${group === '' ? resource : `${resource}.${group}`} ${JSON.stringify(name)} deleted${suffix}${where}`;
}

/** Follows kubectl pkg/cmd/util/helpers.go checkErr and StandardErrorMessage. */
function errorLines(status: JsonObject): readonly string[] {
  const { reason, message, details } = status;
  const text = asString(message);
  if (reason === 'Invalid') return invalidLines(text, details === undefined ? undefined : asObject(details));
  if (reason === 'Unauthorized') return [`error: You must be logged in to the server (${text})`];
  return [asString(reason) === '' ? `Error from server: ${text}` : `Error from server (${asString(reason)}): ${text}`];
}

function invalidLines(message: string, details: JsonObject | undefined): readonly string[] {
  if (details === undefined) return [`The request is invalid: ${message}`];
  const { kind, name } = details;
  const causes = [...new Set(asList(details['causes']).map(asObject).map(causeText))];
  const isNamed = asString(kind) !== '' || asString(name) !== '';
  const subject = isNamed
    ? `The ${asString(kind)} ${JSON.stringify(asString(name))} is invalid`
    : 'The request is invalid';
  const [first] = causes;
  if (first === undefined) return [isNamed || message === '' ? subject : `${subject}: ${message}`];
  return causes.length === 1 ? [`${subject}: ${first}`] : [`${subject}: `, ...causes.map((cause) => `* ${cause}`)];
}

const causeText = ({ field, message }: JsonObject): string => `${asString(field)}: ${asString(message)}`;
