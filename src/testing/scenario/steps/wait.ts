import { asList, asString, valueAt } from '../../../machinery/json/json.ts';
import { differencesText, missingFrom } from '../expect/differences.ts';
import { refusalText } from '../expect/outcome.ts';
import type { Action } from '../format.ts';
import type { WorldAnswer } from '../world.ts';
import { locate } from './locate.ts';
import { answered, failed } from './step-result.ts';
import type { StepContext, StepManner, StepResult } from './step-result.ts';

type Wait = Extract<Action, { readonly type: 'wait' }>;

/** Milliseconds between looks; each time twice as long. */
const firstPause = 20;
const longestPause = 1000;

/** Looks at an object until it is as wanted or, on the world's clock, the time is over. */
export async function wait(action: Wait, { as }: StepManner, { world }: StepContext): Promise<StepResult> {
  const { target, until, timeoutMs } = action;
  const location = await locate(world, target);
  if (location.outcome === 'unknown') return failed('wait', location.problem);
  const deadline = world.now() + timeoutMs;
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    const answer = await world.send({ method: 'GET', path: location.path, ...(as ? { as } : {}) });
    const missing = missingYet(until, answer);
    if (missing === '') return until === 'gone' ? { outcome: 'done' } : answered(answer);
    const left = deadline - world.now();
    if (left <= 0 || isHopeless(answer)) return failed('wait', `${subject(action)} after ${timeoutMs} ms: ${missing}`);
    await world.advance(Math.min(pause, left));
    await world.settle();
  }
}

/** Waiting does not help against these. */
const isHopeless = ({ code }: WorldAnswer): boolean => [400, 401, 403, 405].includes(code);

/** What is still missing; '' when the object is as wanted. */
function missingYet(until: Wait['until'], answer: WorldAnswer): string {
  if (until === 'gone') {
    if (answer.code === 404) return '';
    return answer.code === 200 ? `it is still there${whyStillThere(answer)}` : refusalText(answer);
  }
  if (answer.code !== 200) return refusalText(answer);
  return until === 'exists' ? '' : differencesText(missingFrom(answer.body, until));
}

function whyStillThere({ body }: WorldAnswer): string {
  if (asString(valueAt(body, 'metadata', 'deletionTimestamp')) === '') return ', and nobody has deleted it';
  const finalizers = asList(valueAt(body, 'metadata', 'finalizers')).map(asString);
  return finalizers.length === 0 ? ', being deleted' : `, being deleted and held by ${finalizers.join(', ')}`;
}

function subject({ target: { resource, namespace, name }, until }: Wait): string {
  const what = `${resource} ${name}${namespace === '' ? '' : ` in ${namespace}`}`;
  return `${what} is not ${until === 'gone' ? 'gone' : until === 'exists' ? 'there' : 'as wanted'}`;
}
