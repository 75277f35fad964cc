import type { KubernetesObject } from '../../apimachinery/object.ts';
import { inSteps } from '../../apimachinery/pause.ts';
import type { Pause, Steps } from '../../apimachinery/pause.ts';
import { held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';

/** What a strategy looks at in steps, behind a pause: all of the object has been copied before. Undefined where nobody waits. */
export function beforeValidation(
  { target, request }: Exchange,
  object: KubernetesObject,
  old?: KubernetesObject,
): Promise<void> | undefined {
  const { strategy, resource } = held(target, 'target');
  const pausing = request.pause?.();
  if (!strategy.beforeValidation) return pausing;
  const steps = strategy.beforeValidation(object, old, resource.subresource);
  return stepsBetween(pausing, steps, request.pause);
}

async function stepsBetween(
  pausing: Promise<void> | undefined,
  steps: Steps<unknown>,
  pause: Pause | undefined,
): Promise<void> {
  await pausing;
  await inSteps(steps, pause);
  await pause?.();
}
