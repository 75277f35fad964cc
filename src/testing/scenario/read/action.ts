import { asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { ObjectRef, StepAction } from '../format.ts';
import { durationMs, scalarLists, scalarText } from './scalar-text.ts';
import type { Located } from './located.ts';
import { inNamespace, readScenarioManifests } from './manifests.ts';
import type { ScenarioReader } from './problems.ts';
import { readStubBackend } from './webhooks.ts';

export interface NamedAction {
  readonly action: StepAction;
  /** For reports: `create Pod web`. */
  readonly title: string;
}

export const actions: readonly StepAction['type'][] = [
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
interface Written {
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

const writtenIn = ({ value }: Located): Written => value as Written;

/** Reads the files it names. [] after a problem. */
export async function readActions(
  verb: string,
  step: Located,
  reading: ScenarioReader,
): Promise<readonly NamedAction[]> {
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
      return [{ action: deleteCollection(text, writtenIn(step)), title: `deletecollection ${text}` }];
    default: {
      const { namespace } = writtenIn(step);
      const target = readTarget(verb, step, reading);
      const action = target && actionOn(verb, target, step, reading);
      return action ? [{ action, title: `${verb} ${text}${namespace === undefined ? '' : ` in ${namespace}`}` }] : [];
    }
  }
}

const deleteCollection = (
  resource: string,
  { namespace = 'default', labelSelector = '', fieldSelector = '' }: Written,
): StepAction => ({ type: 'deletecollection', target: { resource, namespace, labelSelector, fieldSelector } });

function readObjectActions(
  verb: 'create' | 'update' | 'apply',
  step: Located,
  reading: ScenarioReader,
): readonly NamedAction[] {
  const subject = step.get(verb);
  const { namespace, fieldManager, subresource, force = false } = writtenIn(step);
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
  const { namespace = 'default' } = writtenIn(step);
  const text = scalarText(at.value);
  const [resource = '', name = '', ...rest] = text.split('/');
  if (!/\.ya?ml$|\.json$/.test(text) && resource !== '' && name !== '')
    return { resource, name, namespace, subresource: rest.join('/') };
  problems.at(at, `${JSON.stringify(text)} is not RESOURCE/NAME, such as pod/web or deployment/web/scale`);
  return undefined;
}

function actionOn(verb: string, target: ObjectRef, step: Located, reading: ScenarioReader): StepAction | undefined {
  const { options = {}, until = 'exists', timeout = '30s' } = writtenIn(step);
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
  const written = writtenIn(step);
  const given = (['merge', 'strategic', 'json'] as const).filter((type) => written[type] !== undefined);
  const [patchType] = given;
  const patch = patchType && written[patchType];
  if (patchType && patch && given.length === 1)
    return { type: 'patch', target, patchType, patch, fieldManager: written.fieldManager };
  problems.at(step, patch ? `has ${given.join(' and ')}: one is enough` : 'has no patch: add merge, strategic or json');
  return undefined;
}
