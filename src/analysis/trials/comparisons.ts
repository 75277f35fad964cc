import { existsSync } from 'node:fs';
import { hasScenarioName } from '../../testing/scenario/load-scenario.ts';
import { createStep } from '../../testing/scenario/outcome.ts';
import type { Scenario, ScenarioStep } from '../../testing/scenario/format.ts';
import { isConfiguration, isPolicy } from '../../testing/scenario/known-webhooks.ts';
import type { ComparedRequest } from './compare-sets.ts';
import { type LeftOut, logRequests } from './logged-request.ts';
import { tracedRequest, tracesInFolder } from './traced-request.ts';
import {
  parseAddresses,
  type Background,
  trialWebhookNames,
  trialObjects,
  trialScenario,
  trialScenarios,
  withNamespace,
} from './trial-scenarios.ts';

/** What is stored beside either set, and further sources of requests. */
export interface ComparisonOptions extends Background {
  /** A file; '' for none. */
  readonly auditLog: string;
  /** A folder; '' for none. */
  readonly traceDir: string;
}

interface Comparison {
  /** The source of the requests. */
  readonly over: string;
  readonly sides: readonly [Scenario, Scenario];
  readonly compareRequests: () => AsyncIterable<ComparedRequest | LeftOut>;
}

/**
 * One comparison per scenario, one for the objects of all files, one each for log and traces. Rejects with
 * ConfigError for unreadable files.
 */
export async function planComparisons(
  sets: readonly [string, string],
  paths: readonly string[],
  options: ComparisonOptions,
): Promise<readonly Comparison[]> {
  const scenarios = paths.filter(isScenario);
  const objects = paths.filter((path) => !isScenario(path));
  const found: Comparison[] = [];
  for (const scenario of scenarios.length === 0 ? [] : await trialScenarios(scenarios, { load: [], to: [] })) {
    found.push({
      over: scenario.name,
      sides: createSides(sets, options, scenario),
      compareRequests: () => stepRequests(scenario.steps),
    });
  }
  const plain = trialScenario({ name: 'diff', load: [], webhooks: [], steps: [] });
  if (objects.length > 0) {
    const steps = trialObjects(objects).map((one) => createStep(withNamespace(one), one.title, one.placesOf([])[0]));
    found.push({
      over: objects.join(', '),
      sides: createSides(sets, options, plain),
      compareRequests: () => stepRequests(steps),
    });
  }
  const { auditLog, traceDir } = options;
  if (auditLog !== '')
    found.push({
      over: auditLog,
      sides: createSides(sets, options, plain),
      compareRequests: () => loggedRequests(auditLog),
    });
  if (traceDir !== '')
    found.push({
      over: traceDir,
      sides: createSides(sets, options, plain),
      compareRequests: () => tracedRequests(traceDir),
    });
  return found;
}

/** Other paths contain objects. */
const isScenario = (path: string): boolean =>
  hasScenarioName(path) || ['yaml', 'yml'].some((end) => existsSync(`${path}/scenario.${end}`));

/** The scenario with each set in place of its own configurations and policies. */
function createSides([a, b]: readonly [string, string], options: Background, scenario: Scenario): Comparison['sides'] {
  const sets = [trialObjects([a]), trialObjects([b])] as const;
  const asObjects = (objects: (typeof sets)[0]): Scenario['load'] =>
    objects.map(({ object, placesOf }) => ({ object, place: placesOf([])[0] }));
  const addresses = parseAddresses(options.to, trialWebhookNames({ ...scenario, load: asObjects(sets.flat()) }));
  const background = options.load.length === 0 ? [] : trialObjects(options.load);
  const kept = scenario.load.filter(({ object }) => !isConfiguration(object) && !isPolicy(object));
  const before = (set: (typeof sets)[0]): Scenario => ({
    ...scenario,
    clock: addresses.length > 0 ? 'real' : scenario.clock,
    webhooks: [...addresses, ...scenario.webhooks],
    load: [...kept, ...asObjects([...background, ...set])],
  });
  return [before(sets[0]), before(sets[1])];
}

async function* stepRequests(steps: readonly ScenarioStep[]): AsyncGenerator<ComparedRequest> {
  for (const step of steps) yield { type: 'step', step };
}

async function* loggedRequests(file: string): AsyncGenerator<ComparedRequest | LeftOut> {
  for await (const one of logRequests(file)) yield typeof one === 'string' ? one : { type: 'logged', logged: one };
}

async function* tracedRequests(folder: string): AsyncGenerator<ComparedRequest | LeftOut> {
  for (const trace of tracesInFolder(folder).toReversed()) {
    const one = tracedRequest(trace);
    yield typeof one === 'string' ? one : { type: 'logged', logged: one };
  }
}
