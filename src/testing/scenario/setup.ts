import type { StubRegistry } from '../stubs/stub-registry.ts';
import type { Scenario } from './format.ts';
import type { WorldSetup, WorldUser } from './world.ts';

export function setupOf(scenario: Scenario, stubRegistry: StubRegistry): WorldSetup {
  return {
    stubRegistry,
    clock: scenario.clock,
    seed: scenario.seed,
    controllers: scenario.controllers,
    nodes: scenario.nodes,
    enableAdmissionPlugins: scenario.enableAdmissionPlugins,
    disableAdmissionPlugins: scenario.disableAdmissionPlugins,
    authorizationMode: scenario.authorizationMode,
    ...(scenario.assume && { assume: scenario.assume }),
    users: usersIn(scenario),
    ownPlugins: (scenario.plugins ?? []).map(({ another }) => another()),
    ...(scenario.kubernetesVersion === undefined ? {} : { kubernetesVersion: scenario.kubernetesVersion }),
    ...(scenario.policySeed === undefined ? {} : { policySeed: scenario.policySeed }),
  };
}

/** Why a scenario cannot run on another server. */
export function targetProblem(scenario: Scenario): string | undefined {
  const { apiFaults = [], converters = [], plugins = [], assume = [] } = scenario;
  if (assume.length > 0) return 'another server ignores assume: leave this scenario out with --filter';
  if (apiFaults.length > 0)
    return 'its apiFaults cannot happen on another server: leave this scenario out with --filter';
  if (plugins.length > 0) return 'another server has no plugins of yours: leave this scenario out with --filter';
  return converters.length > 0
    ? 'another server cannot reach its converters: leave this scenario out with --filter'
    : undefined;
}

/** Users of the steps, each once. */
function usersIn({ steps }: Scenario): readonly WorldUser[] {
  const users = steps.flatMap(({ as }) => (as ? [as] : []));
  return [...new Map(users.map((user) => [user.username, user])).values()];
}
