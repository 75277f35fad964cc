import {
  asObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwn,
  asString,
  valueAt,
} from '../../../machinery/json/json.ts';
import type { ScenarioStep, ObjectRef, StepAction } from '../format.ts';
import { noExpectation, readExpectation } from './expectation.ts';
import type { Located } from './located.ts';
import type { ScenarioReader } from './problems.ts';
import { scalarLists, durationMs, scalarText } from './scalar-text.ts';
import { readAs } from './users.ts';
import { inNamespace, readScenarioManifests } from './manifests.ts';
import { readStubBackend } from './webhooks.ts';

/** One step per object of its file. */
export async function readSteps(at: Located, reading: ScenarioReader): Promise<readonly ScenarioStep[]> {
  const verbs = at.entries().filter(([name]) => stepActions.some((action) => action === name));
  const [verb] = verbs;
  if (!verb || verbs.length > 1) {
    reading.problems.at(
      at,
      verb
        ? `does ${verbs.map(([name]) => name).join(' and ')}: make a step of each`
        : `has no action: add one of ${stepActions.join(', ')}`,
    );
    return [];
  }
  const { name, dryRun, only } = asObject(at.value);
  const expectAt = at.get('expect');
  const base: Omit<ScenarioStep, 'name' | 'action'> = {
    place: at.place,
    as: readAs(at.get('as'), reading.users),
    dryRun: dryRun === true,
    expect: readExpectation(expectAt, at.place, reading),
    only: only === 'kadmit' || only === 'target' ? [only] : [],
    when: scalarLists(at.get('when')),
  };
  const read = await readActions(verb[0], at, reading);
  const steps = read.map(({ action, title }) => ({
    ...base,
    action,
    name: typeof name === 'string' ? stepName(name, title, read.length) : title,
  }));
  return at.get('allowed') || at.get('denied') ? steps.flatMap((step) => variantSteps(step, at)) : steps;
}

/** Steps of one file append their title to the name. */
const stepName = (name: string, title: string, count: number): string => (count > 1 ? `${name}: ${title}` : name);

/** One dry run per variant of the object. */
function variantSteps(step: ScenarioStep, at: Located): readonly ScenarioStep[] {
  const { action } = step;
  if (!('object' in action)) return [step];
  const row = ([name, field]: readonly [string, Located], expect: ScenarioStep['expect']): ScenarioStep => ({
    ...step,
    name: `${step.name}, ${name}`,
    place: field.place,
    dryRun: true,
    action: { ...action, object: mergePatch(action.object, asObject(field.value)) },
    expect,
  });
  const { expect } = step;
  const refused = { ...expect, outcome: expect.outcome ?? ('refused' as const) };
  return [
    ...variants('allowed', at).map((one) => row(one, { ...noExpectation, place: one[1].place, outcome: 'admitted' })),
    ...variants('denied', at).map((one) => row(one, { ...refused, place: one[1].place })),
  ];
}

/** Variants in a list are numbered. */
function variants(which: 'allowed' | 'denied', step: Located): readonly (readonly [string, Located])[] {
  const at = step.get(which);
  if (at === undefined) return [];
  if (!Array.isArray(at.value)) return at.entries();
  return at.items().map((item, index) => [`${which} ${index + 1}`, item]);
}

/** RFC 7386; keeps the order of fields. */
function mergePatch(object: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const field of new Set([...Object.keys(object), ...Object.keys(patch)])) {
    const [own, change] = [object[field], patch[field]];
    if (change === null) continue;
    const value = isJsonObject(change) ? mergePatch(asObject(own), change) : (change ?? own);
    if (value !== undefined) setOwn(result, field, value);
  }
  return result;
}

interface NamedAction {
  readonly action: StepAction;
  /** For reports: `create Pod web`. */
  readonly title: string;
}

export const stepActions: readonly StepAction['type'][] = [
  'create',
  'update',
  'apply',
  'patch',
  'delete',
  'deletecollection',
  'connect',
  'get',
  'wait',
  'advance',
  'configure',
];

/** The fields of a step that are written as they are used; check-schema.ts has checked their types. */
interface ActionFields {
  readonly namespace?: string;
  readonly fieldManager?: string;
  readonly subresource?: string;
  readonly force?: boolean;
  readonly options?: JsonObject;
  readonly until?: 'exists' | 'gone' | JsonObject;
  readonly timeout?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly merge?: JsonObject;
  readonly strategic?: JsonObject;
  readonly json?: readonly JsonObject[];
}

const actionFields = ({ value }: Located): ActionFields => value as ActionFields;

/** Reads the files it names. [] after a problem. */
async function readActions(verb: string, step: Located, reading: ScenarioReader): Promise<readonly NamedAction[]> {
  const subject = step.get(verb);
  if (subject === undefined) return [];
  const text = scalarText(subject.value);
  switch (verb) {
    case 'create':
    case 'update':
    case 'apply':
      return readObjectActions(verb, step, reading);
    case 'advance':
      return [{ action: { type: 'advance', milliseconds: durationMs(text) }, title: `advance ${text}` }];
    case 'configure': {
      const change = await readStubBackend(step, reading);
      if (Object.keys(change).length === 0) reading.problems.at(step, 'changes nothing: add does, faults or to');
      return [{ action: { type: 'configure', webhook: text, change }, title: `configure ${text}` }];
    }
    case 'deletecollection':
      return [{ action: deleteCollection(text, actionFields(step)), title: `deletecollection ${text}` }];
    default: {
      const { namespace } = actionFields(step);
      const target = readTarget(verb, step, reading);
      const action = target && readTargetAction(verb, target, step, reading);
      return action ? [{ action, title: `${verb} ${text}${namespace === undefined ? '' : ` in ${namespace}`}` }] : [];
    }
  }
}

const deleteCollection = (
  resource: string,
  { namespace = 'default', labelSelector = '', fieldSelector = '' }: ActionFields,
): StepAction => ({ type: 'deletecollection', target: { resource, namespace, labelSelector, fieldSelector } });

function readObjectActions(
  verb: 'create' | 'update' | 'apply',
  step: Located,
  reading: ScenarioReader,
): readonly NamedAction[] {
  const subject = step.get(verb);
  const { namespace, fieldManager, subresource, force = false } = actionFields(step);
  const target = readTarget('target', step, reading);
  const objects = subject ? readScenarioManifests(subject, reading) : [];
  return objects.map(({ object: read }) => {
    const object = inNamespace(read, namespace);
    const title = `${verb} ${objectTitle(object)}${subresource === undefined ? '' : `/${subresource}`}`;
    const common = { object, subresource, target };
    return verb === 'apply'
      ? { title, action: { type: verb, ...common, fieldManager: fieldManager ?? 'kadmit', force } }
      : { title, action: { type: verb, ...common, fieldManager } };
  });
}

function objectTitle(object: JsonObject): string {
  const name = asString(valueAt(object, 'metadata', 'name')) || asString(valueAt(object, 'metadata', 'generateName'));
  const namespace = asString(valueAt(object, 'metadata', 'namespace'));
  return `${asString(object['kind'])} ${namespace === '' ? '' : `${namespace}/`}${name}`.trimEnd();
}

/** `pod/web`, `deployments.apps/web/scale` or `service/web/proxy/index.html`. */
function readTarget(field: string, step: Located, { problems }: ScenarioReader): ObjectRef | undefined {
  const at = step.get(field);
  if (at === undefined) return undefined;
  const { namespace = 'default' } = actionFields(step);
  const text = scalarText(at.value);
  const [resource = '', name = '', ...rest] = text.split('/');
  if (!/\.ya?ml$|\.json$/.test(text) && resource !== '' && name !== '')
    return { resource, name, namespace, subresource: rest.join('/') };
  problems.at(at, `${JSON.stringify(text)} is not RESOURCE/NAME, such as pod/web or deployment/web/scale`);
  return undefined;
}

function readTargetAction(
  verb: string,
  target: ObjectRef,
  step: Located,
  reading: ScenarioReader,
): StepAction | undefined {
  const { options = {}, until = 'exists', timeout = '30s' } = actionFields(step);
  switch (verb) {
    case 'patch':
      return readPatch(target, step, reading);
    case 'delete':
      return { type: 'delete', target, options };
    case 'connect':
      return { type: 'connect', target, query: scalarLists(step.get('query')) };
    case 'wait':
      return { type: 'wait', target, until, timeoutMs: durationMs(timeout) };
    default:
      return { type: 'get', target };
  }
}

function readPatch(target: ObjectRef, step: Located, { problems }: ScenarioReader): StepAction | undefined {
  const written = actionFields(step);
  const patchTypes = (['merge', 'strategic', 'json'] as const).filter((type) => written[type] !== undefined);
  const [patchType] = patchTypes;
  const patch = patchType && written[patchType];
  if (patchType && patch && patchTypes.length === 1)
    return { type: 'patch', target, patchType, patch, fieldManager: written.fieldManager };
  problems.at(
    step,
    patch ? `has ${patchTypes.join(' and ')}: one is enough` : 'has no patch: add merge, strategic or json',
  );
  return undefined;
}
