import { asObject, asString, isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { ObjectRef, StepAction } from '../format.ts';
import { durationMs, scalarText } from './scalar-text.ts';
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

/** Reads the files it names. [] after a problem. */
export async function readActions(
  verb: string,
  step: Located,
  reading: ScenarioReader,
): Promise<readonly NamedAction[]> {
  const subject = step.get(verb);
  if (subject === undefined) return [];
  switch (verb) {
    case 'create':
    case 'update':
    case 'apply':
      return readObjectActions(verb, step, reading);
    case 'advance':
      return [
        {
          action: { type: 'advance', milliseconds: durationMs(scalarText(subject.value)) },
          title: `advance ${scalarText(subject.value)}`,
        },
      ];
    case 'configure': {
      const change = await readStubBackend(step, reading);
      if (Object.keys(change).length === 0) reading.problems.at(step, 'changes nothing: add does, faults or to');
      return [
        {
          action: { type: 'configure', webhook: scalarText(subject.value), change },
          title: `configure ${scalarText(subject.value)}`,
        },
      ];
    }
    case 'deletecollection':
      return [readDeleteCollection(step, scalarText(subject.value))];
    default:
      return readTargetAction(verb, step, reading);
  }
}

function readObjectActions(
  verb: 'create' | 'update' | 'apply',
  step: Located,
  reading: ScenarioReader,
): readonly NamedAction[] {
  const subject = step.get(verb);
  const { namespace, fieldManager, subresource, force } = asObject(step.value);
  const target = readTarget('target', step, reading);
  const common = {
    ...(typeof subresource === 'string' ? { subresource } : {}),
    ...(target ? { target } : {}),
  };
  const objects = subject ? readScenarioManifests(subject, reading) : [];
  return objects.map(({ object: read }) => {
    const object = inNamespace(read, typeof namespace === 'string' ? namespace : undefined);
    const title = `${verb} ${objectTitle(object)}${typeof subresource === 'string' ? `/${subresource}` : ''}`;
    if (verb === 'apply') {
      const manager = typeof fieldManager === 'string' ? fieldManager : 'kadmit';
      return { title, action: { type: verb, object, fieldManager: manager, force: force === true, ...common } };
    }
    const manager = typeof fieldManager === 'string' ? { fieldManager } : {};
    return { title, action: { type: verb, object, ...manager, ...common } };
  });
}

function objectTitle(object: JsonObject): string {
  const name = asString(valueAt(object, 'metadata', 'name')) || asString(valueAt(object, 'metadata', 'generateName'));
  const namespace = asString(valueAt(object, 'metadata', 'namespace'));
  return `${asString(object['kind'])} ${namespace === '' ? '' : `${namespace}/`}${name}`.trimEnd();
}

function readDeleteCollection(step: Located, resource: string): NamedAction {
  const { namespace = 'default', labelSelector = '', fieldSelector = '' } = asObject(step.value);
  return {
    title: `deletecollection ${resource}`,
    action: {
      type: 'deletecollection',
      target: {
        resource,
        namespace: scalarText(namespace),
        labelSelector: scalarText(labelSelector),
        fieldSelector: scalarText(fieldSelector),
      },
    },
  };
}

function readTarget(field: string, step: Located, { problems }: ScenarioReader): ObjectRef | undefined {
  const at = step.get(field);
  if (at === undefined) return undefined;
  const { namespace = 'default' } = asObject(step.value);
  const reading = readRef(scalarText(at.value), scalarText(namespace));
  if (reading.outcome === 'read') return reading.ref;
  problems.at(at, reading.problem);
  return undefined;
}

function readTargetAction(verb: string, step: Located, reading: ScenarioReader): readonly NamedAction[] {
  const target = readTarget(verb, step, reading);
  const action = target && actionOn(verb, target, step, reading);
  const { namespace } = asObject(step.value);
  const where = typeof namespace === 'string' ? ` in ${namespace}` : '';
  return action ? [{ action, title: `${verb} ${scalarText(asObject(step.value)[verb])}${where}` }] : [];
}

function actionOn(verb: string, target: ObjectRef, step: Located, reading: ScenarioReader): StepAction | undefined {
  const fields = asObject(step.value);
  switch (verb) {
    case 'patch':
      return readPatch(target, step, reading);
    case 'delete':
      return { type: 'delete', target, options: asObject(fields['options']) };
    case 'connect':
      return { type: 'connect', target, query: readQuery(step.get('query')) };
    case 'wait': {
      const { until = 'exists', timeout = '30s' } = fields;
      const wanted = isJsonObject(until) || until === 'gone' ? until : 'exists';
      return { type: 'wait', target, until: wanted, timeoutMs: durationMs(scalarText(timeout)) };
    }
    default:
      return { type: 'get', target };
  }
}

function readPatch(target: ObjectRef, step: Located, { problems }: ScenarioReader): StepAction | undefined {
  const { fieldManager } = asObject(step.value);
  const manager = typeof fieldManager === 'string' ? { fieldManager } : {};
  const given = (['merge', 'strategic', 'json'] as const).filter((type) => step.get(type) !== undefined);
  const [patchType] = given;
  if (patchType === undefined || given.length > 1) {
    problems.at(
      step,
      patchType ? `has ${given.join(' and ')}: one is enough` : 'has no patch: add merge, strategic or json',
    );
    return undefined;
  }
  const patch = step.get(patchType)?.value;
  const body = Array.isArray(patch) ? patch.filter(isJsonObject) : asObject(patch);
  return { type: 'patch', target, patchType, patch: body, ...manager };
}

const readQuery = (at: Located | undefined): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    (at?.entries() ?? []).map(([name, { value }]) => [
      name,
      Array.isArray(value) ? value.map(scalarText) : [scalarText(value)],
    ]),
  );

type RefReading =
  | { readonly outcome: 'read'; readonly ref: ObjectRef }
  | { readonly outcome: 'wrong'; readonly problem: string };

/** `pod/web`, `deployments.apps/web/scale` or `service/web/proxy/index.html`. */
function readRef(text: string, namespace: string): RefReading {
  const [resource = '', name = '', ...rest] = text.split('/');
  if (/\.ya?ml$|\.json$/.test(text) || resource === '' || name === '') {
    const problem = `${JSON.stringify(text)} is not RESOURCE/NAME, such as pod/web or deployment/web/scale`;
    return { outcome: 'wrong', problem };
  }
  return { outcome: 'read', ref: { resource, name, namespace, subresource: rest.join('/') } };
}
