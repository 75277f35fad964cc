import type { Scenario } from '../scenario/format.ts';
import { trialObjects, trialScenario } from './trial-scenarios.ts';

/** A scenario that stores what these paths hold; nobody answers for its webhooks. Throws ConfigError for what cannot be read. */
export const replayScenario = (load: readonly string[]): Scenario =>
  trialScenario({ name: 'replay', load: trialObjects(load), webhooks: [], steps: [] });
