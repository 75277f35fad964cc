import { asObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { addressOf, isStored } from './object-key.ts';
import { addsAnnotation } from './recorded-calls.ts';
import { expectationOf } from './recorded-expectation.ts';
import type { ScenarioFiles } from './recorded-files.ts';
import { fileNameOf } from './recorded-manifest.ts';
import type { ActionContext } from './recorded-manifest.ts';
import { actionOf } from './recorded-step.ts';
import type { RecordedStubs } from './recorded-stubs.ts';
import type { RecordedUsers } from './recorded-user.ts';
import type { Recording } from './recording.ts';
import { manifestYaml } from './scenario-yaml.ts';

export interface StepsContext {
  readonly stubs: RecordedStubs;
  readonly users: RecordedUsers;
  /** Takes the manifests that are too long to stand in a step. */
  readonly files: ScenarioFiles;
}

/** The steps, with a `configure` wherever a webhook begins or ceases to fail. */
export function createSteps(
  { writes, golden }: Recording,
  { stubs, users, files }: StepsContext,
): { readonly steps: readonly JsonObject[]; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const context = actionContext(writes);
  const steps = writes.flatMap((write, index): readonly JsonObject[] => {
    const action = actionOf(write, context);
    if (action.outcome === 'untold') {
      notes.push(`${write.request.verb} ${write.request.path} is no step: ${action.why}`);
      return [];
    }
    const subject = action.fields[action.verb];
    const isManifest = typeof subject === 'object' && subject !== null;
    const fields = isManifest ? { ...action.fields, [action.verb]: placed(asObject(subject), files) } : action.fields;
    const file = golden && isManifest && leavesObject(write) ? goldenFile(index, asObject(subject)) : undefined;
    const as = users.asOf(write);
    const expect = expectationOf(write, { ambiguous: stubs.ambiguous, golden: file });
    const step = {
      ...fields,
      ...(as === undefined ? {} : { as }),
      ...(write.request.dryRun ? { dryRun: true } : {}),
      ...(Object.keys(expect).length === 0 ? {} : { expect }),
    };
    return [...configureSteps(index, stubs), step];
  });
  return { steps, notes };
}

function configureSteps(index: number, { webhooks }: RecordedStubs): readonly JsonObject[] {
  return webhooks.flatMap(({ name, configuration, faults: { changes } }) => {
    const faults = changes.get(index);
    return faults === undefined
      ? []
      : [{ configure: configuration === undefined ? name : `${configuration}/${name}`, faults }];
  });
}

const mostLines = 14;

/** The object itself where it is short, else its file. */
function placed(object: JsonObject, files: ScenarioFiles): JsonObject | string {
  const lines = manifestYaml(object).split('\n').length;
  return lines <= mostLines ? object : files.add(fileNameOf(object), [object]);
}

const leavesObject = ({ verdict, request, objectAfter }: Trace): boolean =>
  verdict === 'admitted' && objectAfter !== null && request.subresource === '';

const goldenFile = (index: number, object: JsonObject): string => `${index + 1}-${fileNameOf(object)}.golden.yaml`;

function actionContext(writes: readonly Trace[]): ActionContext {
  const isSame = (one: Trace, other: Trace): boolean =>
    one.request.name !== '' && addressOf(one.request) === addressOf(other.request);
  return {
    isAnnotated: (trace) => writes.some((one) => (one === trace || isSame(one, trace)) && addsAnnotation(one)),
    isNamedLater: (trace) => writes.slice(writes.indexOf(trace) + 1).some((later) => isSame(trace, later)),
    isLoaded: (trace) => {
      const first = writes.find((one) => isSame(one, trace));
      return first !== undefined && !(isStored(first) && first.objectBefore === null);
    },
  };
}
