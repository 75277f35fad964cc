import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { badRequest } from '../../apimachinery/status.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import type { ApplyStep, PatchStep, Stage, Step } from '../../stages/stage.ts';
import { finalizersPatch, patchOf, renderStep } from '../../stages/step-request.ts';
import type { ReadYaml } from '../../stages/step-request.ts';
import { controllerUser } from '../client.ts';
import type { Client } from '../client.ts';
import type { ControllerContext } from '../controller.ts';
import type { ParseDocument } from '../manifest.ts';
import { pathOf } from '../served-resources.ts';
import type { ServedResource } from '../served-resources.ts';
import type { Progress } from '../work-queue.ts';
import { createEventRecorder } from '../workloads/event-recorder.ts';
import type { EventRecorder } from '../workloads/event-recorder.ts';
import { nameOf, namespaceOf } from '../workloads/fields.ts';
import { applyObject } from './apply-object.ts';
import { createSurroundings } from './surroundings.ts';

/** An object on its way through a Stage; `at` is the step that comes next. */
export interface Passage {
  readonly stage: Stage;
  readonly object: KubernetesObject;
  readonly resource: ServedResource;
  at: number;
}

export interface StagePlayer {
  /** Does the steps that are left. One that the server refuses comes again; what a template gets wrong is told in an Event. */
  readonly play: (passage: Passage) => Promise<Result<unknown>>;
  readonly progress: Progress;
}

/** As whom KWOK writes. */
export const kwokAccount = 'kwok-controller';

export function createStagePlayer(context: ControllerContext, parse: ParseDocument): StagePlayer {
  const client = context.clientFor(controllerUser(kwokAccount), 'kwok');
  const recorder = createEventRecorder('kwok_controller', client, context);
  const ports: StepPorts = {
    context,
    client,
    recorder,
    readYaml: readerOf(parse),
    functionsFor: createSurroundings(context),
  };
  return {
    play: async (passage) => {
      const { stage, object } = passage;
      for (let step = stage.steps[passage.at]; step; step = stage.steps[passage.at]) {
        const done = await take(step, passage, ports);
        if (!done.ok) {
          // It is gone, or changed; then what there is now comes by itself.
          if (done.status.code === 404 || done.status.code === 409) return ok(undefined);
          recorder.event(object, 'Warning', 'StageFailed', `Stage ${stage.name}: ${done.status.message ?? ''}`);
          return done.status.code === 400 ? ok(undefined) : done;
        }
        passage.at += 1;
      }
      return ok(undefined);
    },
    progress: recorder.progress,
  };
}

interface StepPorts {
  readonly context: ControllerContext;
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly readYaml: ReadYaml;
  readonly functionsFor: ReturnType<typeof createSurroundings>;
}

const readerOf =
  (parse: ParseDocument): ReadYaml =>
  async (text) => {
    const reading = await parse(text);
    return reading.outcome === 'read'
      ? { outcome: 'made', value: reading.value }
      : { outcome: 'failed', error: reading.error };
  };

async function take(step: Step, passage: Passage, ports: StepPorts): Promise<Result<unknown>> {
  const { client, recorder } = ports;
  const { object, resource } = passage;
  const path = pathTo(resource, object);
  switch (step.type) {
    case 'event':
      recorder.event(object, step.eventType === 'Warning' ? 'Warning' : 'Normal', step.reason, step.message);
      return ok(undefined);
    case 'finalizers': {
      const body = finalizersPatch(step, object);
      if (body.length === 0) return ok(undefined);
      return client({ method: 'PATCH', path, body, contentType: 'application/json-patch+json' });
    }
    case 'delete': {
      const { uid = '' } = metadataOf(object);
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid } };
      return client({ method: 'DELETE', path, body });
    }
    case 'patch':
    case 'apply':
      return takeTemplated(step, passage, ports);
  }
}

async function takeTemplated(
  step: PatchStep | ApplyStep,
  { object, resource, stage }: Passage,
  { context, client: own, readYaml, functionsFor }: StepPorts,
): Promise<Result<unknown>> {
  const made = await renderStep(step, { object, functions: functionsFor(object), readYaml });
  if (made.outcome === 'failed') return refuse(badRequest(made.error));
  const user = { username: step.username, uid: '', groups: ['system:authenticated'], extra: {} };
  const client = step.username === '' ? own : context.clientFor(user, 'kwok');
  if (step.type === 'apply') return applyObject(step, made.value, { client, served: context.served, beside: object });
  const path = `${pathTo(resource, object)}${under(step.subresource)}`;
  return client({ method: 'PATCH', path, ...patchOf(step, stage.kind, made.value) });
}

const pathTo = (resource: ServedResource, object: KubernetesObject): string =>
  pathOf(resource, namespaceOf(object), nameOf(object));

const under = (subresource: string): string => (subresource === '' ? '' : `/${subresource}`);
