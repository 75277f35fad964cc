import { errorText } from '../../../machinery/errors.ts';
import { asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import { converterName } from '../../stubs/answer-conversion.ts';
import { differencesText, missingFields } from '../expect/differences.ts';
import { refusalText } from '../expect/outcome.ts';
import type { Counts } from '../expect/object.ts';
import type { ScenarioStep, StepAction } from '../format.ts';
import type { ScenarioWorld, WorldAnswer } from '../world.ts';
import { locate } from './locate.ts';
import { failedStep, sendStep, type StepResult } from './request-step.ts';
import type { StubRegistry } from '../../stubs/stub-registry.ts';
import { groupVersionPath } from '../../../machinery/meta/gvk.ts';

/** `counts`: objects once controllers are idle, where the step expects some. */
export type SettledResult = StepResult & { readonly counts?: Counts };

export interface StepContext {
  readonly world: ScenarioWorld;
  readonly stubRegistry: StubRegistry;
  readonly on: 'kadmit' | 'target';
}

/** Waits for the controllers after the step. An exception, such as a lost connection, is a failure of the step. */
export async function doStep(step: ScenarioStep, context: StepContext): Promise<SettledResult> {
  try {
    const result = await runStep(step, context);
    await context.world.settle();
    const { settled } = step.expect;
    return settled ? { ...result, counts: await countSettled(context.world, Object.keys(settled)) } : result;
  } catch (error) {
    return failedStep(step.action.type, errorText(error));
  }
}

/** In all namespaces but `kube-*`. */
async function countSettled(world: ScenarioWorld, resources: readonly string[]): Promise<Counts> {
  const counts = new Map<string, number | string>();
  for (const name of resources) counts.set(name, await countObjects(world, name));
  return Object.fromEntries(counts);
}

async function countObjects(world: ScenarioWorld, name: string): Promise<number | string> {
  const resource = await world.findResource(name);
  if (!resource) return `the server doesn't have a resource type "${name}"`;
  const answer = await world.send({ method: 'GET', path: `${groupVersionPath(resource)}/${resource.resource}` });
  if (answer.code !== 200) return `they could not be listed: ${asString(valueAt(answer.body, 'message'))}`;
  const namespaces = asList(asObject(answer.body)['items']).map((item) =>
    asString(valueAt(item, 'metadata', 'namespace')),
  );
  return namespaces.filter((namespace) => !namespace.startsWith('kube-')).length;
}

async function runStep(step: ScenarioStep, context: StepContext): Promise<StepResult> {
  const { action } = step;
  if (action.type === 'wait') return wait(action, step, context);
  if (action.type === 'advance') return advance(action, context);
  return action.type === 'configure' ? configure(action, context) : sendStep(action, step, context.world);
}

type Advance = Extract<StepAction, { readonly type: 'advance' }>;

/** A server with a real clock cannot advance it. */
async function advance({ milliseconds }: Advance, { world, on }: StepContext): Promise<StepResult> {
  if (on === 'target') return { outcome: 'left-out', because: 'time passes by itself on this server' };
  await world.advance(milliseconds);
  return { outcome: 'done' };
}

type Configure = Extract<StepAction, { readonly type: 'configure' }>;

/** Changes a stub or converter from the next call on. */
function configure({ webhook, change }: Configure, { stubRegistry }: StepContext): StepResult {
  const names = stubRegistry
    .specs()
    .flatMap(({ name, configuration }) => (configuration === undefined ? [name] : [name, `${configuration}/${name}`]));
  const name = [webhook, converterName(webhook)].find((one) => names.includes(one));
  if (name === undefined) {
    return failedStep('configure', `${webhook} is no webhook of this scenario${suggestion(webhook, names)}`);
  }
  stubRegistry.configure(name, change);
  return { outcome: 'done' };
}

type Wait = Extract<StepAction, { readonly type: 'wait' }>;

/** Milliseconds between reads, doubled each time. */
const firstPauseMs = 20;
const maxPauseMs = 1000;

/** Polls until the object is as wanted or the time on the world's clock is up. */
async function wait(action: Wait, { as }: Pick<ScenarioStep, 'as'>, { world }: StepContext): Promise<StepResult> {
  const { target, until, timeoutMs } = action;
  const location = await locate(world, target);
  if (location.outcome === 'unknown') return failedStep('wait', location.problem);
  const deadline = world.now() + timeoutMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    const answer = await world.send({ method: 'GET', path: location.path, as });
    const missing = unmetCondition(until, answer);
    if (missing === '') return until === 'gone' ? { outcome: 'done' } : { outcome: 'answered', answer };
    const remaining = deadline - world.now();
    if (remaining <= 0 || isPermanentError(answer))
      return failedStep('wait', `${describeWait(action)} after ${timeoutMs} ms: ${missing}`);
    await world.advance(Math.min(pause, remaining));
    await world.settle();
  }
}

/** Permanent errors. */
const isPermanentError = ({ code }: WorldAnswer): boolean => [400, 401, 403, 405].includes(code);

/** '' when the object is as wanted. */
function unmetCondition(until: Wait['until'], answer: WorldAnswer): string {
  if (until === 'gone') {
    if (answer.code === 404) return '';
    return answer.code === 200 ? `it is still there${describeDeletion(answer)}` : refusalText(answer);
  }
  if (answer.code !== 200) return refusalText(answer);
  return until === 'exists' ? '' : differencesText(missingFields(answer.body, until));
}

function describeDeletion({ body }: WorldAnswer): string {
  if (asString(valueAt(body, 'metadata', 'deletionTimestamp')) === '') return ', and it has no deletionTimestamp';
  const finalizers = asList(valueAt(body, 'metadata', 'finalizers')).map(asString);
  return finalizers.length === 0 ? ', being deleted' : `, being deleted and held by ${finalizers.join(', ')}`;
}

function describeWait({ target: { resource, namespace, name }, until }: Wait): string {
  const what = `${resource} ${name}${namespace === '' ? '' : ` in ${namespace}`}`;
  return `${what} is not ${until === 'gone' ? 'gone' : until === 'exists' ? 'there' : 'as wanted'}`;
}
